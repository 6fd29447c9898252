# several_servers.pl
#	Servers that each have a partition of their own never make the same id: two
#	whose rows are replicated into one table or into each other's.  Who reads the rows
#	of all in one table, as doc/reading-new-rows.md says, gets each once.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoLoad;
use SnoTest;

use constant ROWS => 20_000;

# A server with the table; wal_level is what a publisher needs
sub server_with_table
{
	my ($name, $partition) = @_;
	my $server = new_server(
		$name,
		init => { allows_streaming => 'logical' },
		settings => preload('sno.partition' => $partition, 'sno.tick_tock' => 'off'));

	query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate(), server text); CREATE PUBLICATION event FOR TABLE event');
	return $server;
}

# As many rows on each server, in two sessions, all at the same time
sub insert_rows
{
	run_sessions(
		map {
			{   server => $_,
				sql => 'INSERT INTO event (server) SELECT \'' . $_->name
				  . '\' FROM generate_series(1, ' . ROWS . ");\n" }
		} map { ($_, $_) } @_);
	return;
}

# What the table holds: how many rows of which server and partition
sub contents
{
	my ($server) = @_;

	return query($server,
		'SELECT server, sno_partition(id), count(*) FROM event GROUP BY 1, 2 ORDER BY 1, 2');
}

# subscribe(SUBSCRIBER, PUBLISHER, OPTIONS)
sub subscribe
{
	my ($subscriber, $publisher, $options) = @_;

	return query($subscriber, 'CREATE SUBSCRIPTION ' . $publisher->name . '_' . $subscriber->name
		  . ' CONNECTION $$' . $publisher->connstr('postgres') . "\$\$ PUBLICATION event WITH ($options)");
}

my $east = server_with_table('east', 1024);
my $west = server_with_table('west', 2048);
my $collector = server_with_table('collector', 3072);
my $both = join "\n", 'east|1024|' . 2 * ROWS, 'west|2048|' . 2 * ROWS;

subscribe($collector, $_, 'copy_data = false') foreach $east, $west;
insert_rows($east, $west);
$_->wait_for_catchup($_->name . '_collector') foreach $east, $west;
is(contents($collector), $both, 'a table has the rows of two servers, made at the same time');
insert_rows($collector);
is(contents($collector), "collector|3072|${\(2 * ROWS)}\n$both", 'and its own');

# The bounds of each server come with its rows
{
	my ($create, $insert, $update) = split /(?<=;)\n(?=INSERT|UPDATE)/, page_block('doc/partitions.md', 'CREATE TABLE event') =~ s/.*?\n\n//r;
	my ($readers, $poll) = split /^(?=BEGIN;)/m, page_block('doc/partitions.md', 'CREATE TABLE reader_of (');
	my $transactions = "BEGIN;\nINSERT INTO event SELECT FROM generate_series(1, 3);\n\\! sleep 0.01\nCOMMIT;\n" x 100;
	my $early;

	query($_, "TRUNCATE event; $create") foreach $east, $west, $collector;
	query($_, "ALTER PUBLICATION event ADD TABLE resolved_of") foreach $east, $west;
	query($collector, 'ALTER SUBSCRIPTION ' . $_->name . '_collector REFRESH PUBLICATION WITH (copy_data = false)') foreach $east, $west;
	query($_, $insert) foreach $east, $west, $collector;
	wait_until($collector, 'count(*) = 3 FROM resolved_of');
	query($collector, "$readers CREATE TABLE got (n bigint GENERATED ALWAYS AS IDENTITY, reader text, id sno)");
	$poll = noted($poll, 'mailer');
	run_sessions(
		(map { ({ server => $_, sql => $transactions }) x 2, { server => $_, sql => "$update\n\\! sleep 0.01\n" x 100 } } $east, $west, $collector),
		({ server => $collector, sql => "$poll\\! sleep 0.01\n" x 100 }) x 2);
	$early = query($collector, 'SELECT count(*) FROM got');
	query($_, $update) foreach $east, $west, $collector;
	$_->wait_for_catchup($_->name . '_collector') foreach $east, $west;
	read_all($collector, $poll);
	is(query($collector, 'SELECT count(*) FROM event'), 3 * 2 * 300, 'the rows of three servers come together');
	is_read_once($collector, 'mailer', 'two programs with one cursor for each server');
	is(query($collector, 'SELECT count(*) FROM (SELECT id < lag(id) OVER (PARTITION BY sno_partition(id) ORDER BY n) AS is_wrong FROM got) AS g WHERE is_wrong'), '0', 'in the order of each server');
	cmp_ok($early, '>', 0, "$early rows are read while more are made");
}

# From 16 on a subscription can leave out what the publisher has from others
if ($east->pg_version >= 16)
{
	query($_, 'TRUNCATE event') foreach $east, $west;
	subscribe(@$_, 'copy_data = false, origin = none') foreach [ $east, $west ], [ $west, $east ];
	insert_rows($east, $west);
	$east->wait_for_catchup('east_west');
	$west->wait_for_catchup('west_east');
	is(contents($_), $both, 'active-active: ' . $_->name . ' has the rows of both')
	  foreach $east, $west;
}

done_testing();

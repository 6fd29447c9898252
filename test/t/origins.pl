# origins.pl
#	The replication origin that reservations are kept in: CREATE EXTENSION takes
#	a slot for it, or fails; a standby without one stops then; pg_upgrade takes
#	its progress along; an error about it keeps nothing locked; and when it is
#	dropped, nothing of sno is left.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(usleep);

use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

my @ordinary = (extra_params => [ '-U', 'ordinary' ]);
my @calls = ('sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)');
my $server = new_server('server', databases => []);
my $setting = $server->pg_version < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
my $no_slot = qr/no slot is free for the replication origin of sno.*HINT:  .*"$setting"/s;
my $in_use = 'SELECT count(*) FROM pg_show_replication_origin_status() WHERE local_id = 62736';

# unread(SQL, ERROR): a session of a client that reads nothing more, whose server
# process cannot get rid of that error, and its process; the socket is found to
# be full by trying
sub unread
{
	my ($sql, $error) = @_;

	foreach my $buffers (4 .. 400)
	{
		my $client = $server->raw_connect;
		my $query = sprintf("SELECT repeat('x', %d); %s\0", 8192 * $buffers + 4096, $sql);
		my $startup = pack('N (Z*)*', 196608, 'user', 'ordinary', 'database', 'postgres', '');
		my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;
		my ($said, $pid, $state) = ('');

		syswrite($client, pack('N', 4 + length $startup) . $startup);
		while ($said !~ /Z\x00{3}\x05I$/)
		{
			sysread($client, $said, 1000, length $said) or die 'no connection';
		}
		$pid = unpack 'N', substr($said, index($said, "K\x00\x00\x00\x0c") + 5, 4);
		syswrite($client, 'Q' . pack('N', 4 + length $query) . $query);
		do
		{
			die 'the session does not end its query' if $attempts-- == 0;
			usleep(10_000);
			$state = query($server, "SELECT state || coalesce(' ' || wait_event, '') FROM pg_stat_activity WHERE pid = $pid");
		} while ($state !~ /^idle|ClientWrite/);

		return ($client, $pid) if $state =~ /ClientWrite/ && slurp_file($server->logfile) =~ /\[$pid\].*ERROR:  $error/;
		die 'no error is waited for' if $state =~ /ClientWrite/;
	}
	die 'the socket does not get full';
}

# While the server runs as pg_upgrade runs it
sub in_pg_upgrade
{
	my ($code) = @_;
	my @pg_ctl = ('pg_ctl', '-w', '-D', $server->data_dir);

	$server->stop;
	system_or_bail(@pg_ctl, '-l', $server->logfile, '-o', '-b', 'start');
	$code->();
	system_or_bail(@pg_ctl, 'stop');
	$server->start;
	return;
}

# CREATE EXTENSION
query($server, 'CREATE EXTENSION sno; SELECT sno_generate()');
configure($server, { $setting => 0 });
is_error($server, 'postgres', "SELECT $_", '53400', $no_slot, "without slots $_ says so")
  foreach @calls, qw(sno_snapshot() sno_reset());
configure($server, {});
query($server, 'SELECT sno_origin_drop(); DROP EXTENSION sno');
query($server, 'CREATE ROLE ordinary LOGIN');
configure($server, { $setting => 0 });
is_error($server, 'postgres', 'CREATE EXTENSION sno', '53400', $no_slot, 'without slots there is no extension');
configure($server, { $setting => 1 });
query($server, "SELECT pg_replication_origin_create('other'); SELECT pg_replication_origin_advance('other', '0/1')");
is_error($server, 'postgres', 'CREATE EXTENSION sno', '53400', $no_slot, 'nor when all are in use');
is(query($server, "SELECT count(*) FROM pg_extension WHERE extname = 'sno'"), '0', 'nothing is left of it');
configure($server, { $setting => 2 });
query($server, 'CREATE EXTENSION sno');
is(query($server, $in_use), '1', 'with one more slot there is, and the slot is taken');
is((error_of($server, 'postgres', "SELECT $_", @ordinary))[0], '', "$_ works") foreach @calls;

# Databases made of this one
query($server, 'CREATE DATABASE copy TEMPLATE postgres');
is((error_of($server, 'copy', 'SELECT sno_generate()'))[0], '', 'a copy of the database generates');
query($server, 'CREATE EXTENSION IF NOT EXISTS sno; SELECT sno_origin_create()');
is(query($server, $in_use), '1', 'there is one origin in the cluster');

# In servers that pg_upgrade starts, the default of a domain is the record
{
	my $reserved = q{SELECT jsonb_path_query_array(sno_snapshot(), '$.planes[*].reserved')};
	my $default = "SELECT pg_get_expr(typdefaultbin, 0) FROM pg_type WHERE typname = 'sno_reservation_carried'";
	my $nothing = "'0'::sno_reservation";
	my ($before, $record);

	query($server, 'SELECT sno_generate()');
	$before = query($server, $reserved);
	is(query($server, $default), $nothing, 'an ordinary server does not show the record');
	in_pg_upgrade(
		sub {
			$record = query($server, $default);
			is_error($server, 'postgres', "SELECT $_", '55000', qr/cannot generate a sno while pg_upgrade runs/,
				"a server of pg_upgrade's: no $_") foreach @calls;
		});
	is_error($server, 'postgres', "SELECT $record", '22P02', qr/invalid input syntax/, 'an ordinary server takes no record over');
	query($server, 'SELECT sno_origin_drop()');
	in_pg_upgrade(
		sub {
			is(query($server, $default), $nothing, 'nothing is carried of an origin that was dropped');
			is_error($server, 'postgres', "SELECT '$_'::sno_reservation", '22P02', qr/invalid input syntax/, "'$_' is no record")
			  foreach '', '-1', '1 ', '18446744073709551616';
			is_error($server, 'postgres', "SET ROLE pg_monitor; SELECT $record", '22P02', qr/invalid input syntax/,
				'nothing is taken over from an ordinary role');
			is_error($server, 'postgres', 'SELECT sno_generate()', '55000', qr/pg_upgrade/, 'wrong ones change nothing');
			query($server, "BEGIN; SELECT $record; ROLLBACK; SELECT $nothing");
		});
	is(query($server, $reserved), $before, 'a record is taken over, for good');
	is((error_of($server, 'postgres', 'SELECT sno_generate()', @ordinary))[0], '', 'upon which anybody generates');
	configure($server, { $setting => 0 });
	in_pg_upgrade(
		sub {
			is_error($server, 'postgres', $_, '53400', $no_slot, "without slots pg_upgrade fails: $_") foreach $default, "SELECT $record";
		});
	configure($server, { $setting => 2 });
}

# Without an origin
my $claimed = query($server, 'SELECT sno_origin_drop(); SELECT slots_claimed, reservations FROM sno_stat');
is(query($server, $in_use), '0', 'a dropped origin is gone');
is_error($server, 'postgres', "SELECT $_", '55000',
	qr/sno has no replication origin in this cluster.*HINT:  .*sno_origin_create\(\)/s,
	"without an origin $_ says what to do", @ordinary) foreach @calls;
is("\n" . query($server, 'SELECT slots_claimed, reservations FROM sno_stat'), $claimed, 'nothing is claimed or reserved any more');
query($server, 'SELECT sno_origin_create()');
is((error_of($server, 'postgres', 'SELECT sno_generate()'))[0], '', 'with an origin ids go on');
query($server, 'SELECT sno_origin_drop(); SELECT sno_restore(sno_snapshot())');
is((error_of($server, 'postgres', 'SELECT sno_generate()'))[0], '', 'what is restored is an origin, even if no id was ever made');

# A client that reads no error keeps no lock
query($server, 'SELECT sno_origin_drop(); ALTER ROLE ordinary SUPERUSER');
configure($server, { $setting => 1 });
foreach my $case (
	[ 'SELECT sno_generate()', qr/sno has no replication origin/ ],
	[ 'SELECT sno_origin_create()', qr/no slot is free/ ])
{
	my ($client, $pid) = unread(@$case);

	is((error_of($server, 'postgres', "SET statement_timeout = '10s'; CHECKPOINT; $in_use"))[0], '',
		"$case->[0] without a reader: a checkpoint gets to the origins");
	is_error($server, 'postgres', 'SELECT sno_generate()', '55000', qr/has no replication origin/,
		"$case->[0] without a reader: nor is sno locked");
	is(query($server, "SELECT wait_event FROM pg_stat_activity WHERE pid = $pid"), 'ClientWrite', 'it still is');
	close $client;
}
$server->stop;

# A standby without room
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	my $attempts = 10 * $PostgreSQL::Test::Utils::timeout_default;
	my $newest;

	$server = new_server('primary', init => { allows_streaming => 1 }, databases => []);
	$server->backup('base');
	$standby->init_from_backup($server, 'base', has_streaming => 1);
	$standby->append_conf('postgresql.conf', "$setting = 0");
	$standby->start;
	$server->wait_for_catchup($standby);
	pass('a standby without slots works as long as there is no extension');

	like(($server->psql('postgres', 'CREATE EXTENSION sno'))[2],
		qr/WARNING:  connected standbys need a free slot.*: "standby"\.\nHINT:  .*"$setting" in its configuration/s,
		'CREATE EXTENSION warns of it');
	while (-e $standby->data_dir . '/postmaster.pid')
	{
		die 'the standby goes on' if $attempts-- == 0;
		usleep(100_000);
	}
	like(slurp_file($standby->logfile), qr/could not find free replication state/,
		'it stops at CREATE EXTENSION');
	$standby->stop('fast', fail_ok => 1);

	$standby->append_conf('postgresql.conf', "$setting = 1");
	$standby->start;
	query($server, 'CREATE TABLE made (id sno DEFAULT sno_generate(), n int); INSERT INTO made (n) SELECT generate_series(1, 1000)');
	$server->wait_for_catchup($standby);
	$newest = query($server, 'SELECT max(id) FROM made');
	is(query($standby, 'SELECT count(*), max(id) FROM made'), "1000|$newest",
		'with a slot it goes on');
	is_reserved($standby, 'and has the reservation of the ids', $newest);
	is(join(',', ($server->psql('template1', 'CREATE EXTENSION sno'))[0, 2]), '0,', 'another database takes no slot, and none is warned of');
	$server->safe_psql('template1', 'DROP EXTENSION sno');

	# Leaving
	is_error($standby, 'postgres', "SELECT $_()", '25006', qr/recovery/, "no $_ on a standby")
	  foreach qw(sno_origin_create sno_origin_drop);
	query($server, 'DROP TABLE made; SELECT sno_origin_drop(); DROP EXTENSION sno');
	$server->wait_for_catchup($standby);
	foreach my $node ($server, $standby)
	{
		is(query($node, 'SELECT count(*) FROM pg_show_replication_origin_status()'), '0',
			$node->name . ': nothing of sno is left');
		$node->stop;
		$node->append_conf('postgresql.conf', "$setting = 0");
		$node->start;
		is(query($node, 'SHOW ' . $setting), '0', $node->name . ': it starts without a slot');
	}
}

done_testing();

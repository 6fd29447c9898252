# readers.pl
#	The recipes of doc/reading-new-rows.md and doc/partitions.md, each by the page's own
#	SQL: whatever a program does wrong, it misses no row; on a standby, of several servers
#	and after a move no row is missed, and no plan reads the whole table.  readers_load.pl
#	shows the same of many at the same time, that are killed, and that use no transactions.
use strict;
use warnings FATAL => 'all';

use SnoLoad;
use SnoTest;
use SnoTrouble;

my %order = ('At once' => 'stream', 'In order' => 'true');
my $insert = 'INSERT INTO event (stream) SELECT n FROM generate_series(1, 4) AS n, generate_series(1, 5)';
my $transactions = "BEGIN;\nINSERT INTO event SELECT FROM generate_series(1, 3);\n\\! sleep 0.01\nCOMMIT;\n" x 100;
my $settings = preload(max_prepared_transactions => 40);
my $server = new_server('readers', settings => $settings, init => { allows_streaming => 1 });

# Ways to change the statements of a poll: BEGIN, the bound, the rows, the cursor,
# COMMIT.  First those in a transaction, by which each row is read once.
my %once = (
	'as the page says' => sub { @_ },
	'in parts' => sub { map { s/LIMIT 1000/LIMIT 3/r } @_ },
	'the bound fails in a savepoint' => sub { $_[0], "SAVEPOINT s;\n", $_[1], "ROLLBACK TO s;\n", @_[ 2 .. 4 ] },
	'the rows fail in a savepoint' => sub {
		@_[ 0, 1 ], "SAVEPOINT s;\n", $_[2] =~ s/SELECT count/SELECT 1 \/ 0, count/r, "ROLLBACK TO s;\n", @_[ 3, 4 ];
	},
	'the cursor fails in a savepoint' => sub { @_[ 0 .. 2 ], "SAVEPOINT s;\n", $_[3], "ROLLBACK;\n" },
	'higher isolation' => sub { "BEGIN ISOLATION LEVEL REPEATABLE READ;\n", @_[ 1 .. 4 ] },
	'one string of two statements' => sub { $_[0], $_[1] =~ s/;\n/\\; /r, @_[ 2 .. 4 ] },
	'a volatile function' => sub { $_[0], function('VOLATILE', @_[ 1, 2 ]), @_[ 3, 4 ] },
	'a stable function' => sub { $_[0], function('STABLE', @_[ 1, 2 ]), @_[ 3, 4 ] },
	'prepared' => sub { @_[ 0 .. 3 ], "PREPARE TRANSACTION 'poll';\nCOMMIT PREPARED 'poll';\n" },
	'prepared and rolled back' => sub { @_[ 0 .. 3 ], "PREPARE TRANSACTION 'poll';\nROLLBACK PREPARED 'poll';\n" });
my %again = (
	'autocommit, each in another session' => sub { map { ("\\c\n", $_) } @_[ 1 .. 3 ] },
	'autocommit, rows at a higher isolation' => sub { $_[1], "BEGIN ISOLATION LEVEL SERIALIZABLE;\n", @_[ 2 .. 4 ] },
	'without an order' => sub { map { s/ORDER BY id LIMIT 1000//r } @_ },
	'rows twice' => sub { @_[ 0 .. 2, 2 .. 4 ] });
my %ways = (%once, %again);

# The bound and the rows by a call
sub function
{
	my ($kind, $bound, $rows) = @_;
	my ($clear, $query) = $rows =~ /^(.*?\n)(.*) \\gset/s;

	return <<"EOF";
${clear}CREATE FUNCTION pg_temp.new(OUT found bool, OUT last sno, OUT ids sno[]) LANGUAGE sql $kind
	AS \$\$ $bound $query \$\$;
SELECT * FROM pg_temp.new() \\gset
EOF
}

# A poll of each kind, one after another; they may fail
sub poll_all
{
	foreach my $recipe (sort keys %order)
	{
		foreach my $way (sort keys %ways)
		{
			my @statements = poll($recipe, "$recipe, $way")
			  =~ /\A(BEGIN;\n)(.*?;\n)(.*gset\n)(\\if.*endif\n)(COMMIT;\n)\z/s;

			end_sessions(start_sessions(
				{ server => $server, sql => join '', "\\set ON_ERROR_STOP 0\n", $ways{$way}->(@statements) }));
		}
	}
	return;
}

query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate(), stream int)');
new_readers($server, 'function', map { my $way = $_; map { "$_, $way" } keys %order } keys %ways);
query($server, $insert);
{
	my $open = $server->background_psql('postgres');

	$open->query_safe('BEGIN; INSERT INTO event (stream) VALUES (5)');
	query($server, $insert);
	poll_all();
	is(query($server, "SELECT count(*) FROM got WHERE reader = '$_->[0], as the page says'"), $_->[1],
		"$_->[0]: beside an open transaction, $_->[1] rows are read") foreach [ 'At once', 40 ], [ 'In order', 20 ];
	query($server, $insert);
	poll_all();
	$open->query_safe('COMMIT');
	$open->quit;
	query($server, $insert);
	poll_all();
}
foreach my $recipe (sort keys %order)
{
	foreach my $way (sort keys %ways)
	{
		my $reader = "$recipe, $way";

		read_all($server, (poll($recipe, $reader)) x 2);
		misses_none($server, $reader, $reader, $once{$way} ? $order{$recipe} : undef);
	}
}

# One that reads at once remembers as many rows as the table says
{
	my $open = $server->background_psql('postgres');
	my @read;

	query($server, <<'EOF');
ALTER TABLE reader DROP until, ADD until sno
	GENERATED ALWAYS AS (CASE WHEN cardinality(early) < 30 THEN sno_max() ELSE upto END) STORED;
DELETE FROM event; DELETE FROM got;
EOF
	$open->query_safe('BEGIN; INSERT INTO event (stream) VALUES (5)');
	foreach (1 .. 3)
	{
		query($server, $insert);
		read_all($server, poll('At once', 'function'));
		push @read, query($server, 'SELECT count(*) FROM got');
	}
	is("@read", '20 40 40', 'beside an open transaction, rows are read until the reader remembers as many as it may');
	$open->query_safe('COMMIT');
	$open->quit;
	query($server, $insert);
	read_all($server, (poll('At once', 'function')) x 2);
	misses_none($server, 'function', 'when it has ended', 'stream');
}

# Whatever the planner knows of the reader: its first poll, and a later one
{
	my %select = map { $_ => (noted(page_sql("-- $_"), 'mailer') =~ /WITH new AS \((.*?)\), noted/s)[0] } keys %order;

	query($server, <<'EOF');
DELETE FROM event;
INSERT INTO event (id) SELECT sno_generate(n % 16) FROM generate_series(1, 200000) AS n;
VACUUM ANALYZE event;
EOF
	query($server, page_sql('CREATE INDEX ON event (sno_meta(id), id);'));
	query($server, "INSERT INTO reader (name, bucket, upto) SELECT 'mailer', 5, max(id) FROM event");
	$select{group} = $select{'At once'} =~ s/WHERE/WHERE sno_meta(id) = 5 AND/r;
	foreach my $when ('first poll', 'first poll, analyzed', 'later', 'later, analyzed')
	{
		query($server, q(UPDATE reader SET since = upto WHERE name = 'mailer')) if $when eq 'later';
		query($server, 'ANALYZE reader, event') if $when =~ /analyzed/;
		foreach my $recipe (sort keys %select)
		{
			my $plan = query($server, "EXPLAIN (COSTS OFF) $select{$recipe}");

			like($plan, qr/\A.*?Limit\n.*Index Scan using event_\w+ on event\n\s*Index Cond: .*\(id > [^<]+\) AND \(id <= /s,
				"$recipe, $when: rows come from the index in their order");
			unlike($plan, qr/Sort/, "$recipe, $when: and are not sorted");
		}
	}
}

# On a standby, by the bound that the primary writes
{
	my $update = q(UPDATE reader SET upto = sno_resolved(upto) WHERE name = 'standby');
	my $read = ids_file('read');
	my $poll = <<"EOF";
SELECT id FROM event WHERE id > :'since' AND id <= (SELECT upto FROM reader WHERE name = 'standby')
	ORDER BY id \\g | tee -a $read | tail -n 1 >$read.last
\\set new `cat $read.last`
SELECT greatest(nullif(:'new', '')::sno, :'since') AS since \\gset
EOF
	my ($standby, $early);

	query($server, "TRUNCATE event; INSERT INTO reader (name) VALUES ('standby')");
	$standby = new_standby($server, 'standby');
	append_to_file($read, '');
	is_error($standby, 'postgres', $update, '25006', qr/read-only/, 'a standby has no bound of its own');
	run_sessions(
		({ server => $server, sql => $transactions }) x 6,
		{ server => $server, sql => "$update;\n\\! sleep 0.005\n" x 200 },
		{ server => $standby, sql => "\\set since 2222222222222222\n" . "$poll\\! sleep 0.005\n" x 200 });
	$early = id_count($read);
	query($server, $update);
	$server->wait_for_catchup($standby);
	run_sessions({ server => $standby, sql => "\\set since " . (output_of("tail -n 1 $read") || '2' x 16) . "\n$poll" });
	is(slurp_file($read), query($server, 'SELECT id FROM event ORDER BY id') . "\n",
		'on a standby, each row is read once, and in order');
	cmp_ok($early, '>', 0, "$early of them while the primary makes more");
	$standby->stop;
}

# Several servers, whose rows are replicated into one table, with a cursor for each
{
	my $page = page_block('doc/partitions.md', 'CREATE TABLE event') =~ s/.*?\n\n//r;
	my ($create, $insert_bound, $update) = split /(?<=;)\n(?=INSERT|UPDATE)/, $page;
	my $poll = noted(page_block('doc/partitions.md', "BEGIN;\nSELECT FROM reader_of"), 'mailer');
	my ($east, $west, $collector) = map {
		new_server($_->[0], init => { allows_streaming => 'logical' }, settings => preload('sno.partition' => $_->[1]))
	} [ 'east', 1024 ], [ 'west', 2048 ], [ 'collector', 3072 ];
	my $early;

	query($_, <<"EOF") foreach $east, $west, $collector;
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate());
$create CREATE PUBLICATION event FOR TABLE event, resolved_of;
EOF
	query($collector, <<"EOF") foreach $east, $west;
CREATE SUBSCRIPTION ${\$_->name}_collector CONNECTION \$\$${\$_->connstr('postgres')}\$\$
	PUBLICATION event WITH (copy_data = false)
EOF
	query($_, $insert_bound) foreach $east, $west, $collector;
	wait_until($collector, 'count(*) = 3 FROM resolved_of');
	query($collector, 'CREATE TABLE got (n bigint GENERATED ALWAYS AS IDENTITY, reader text, id sno);'
		. page_block('doc/partitions.md', 'CREATE TABLE reader_of ('));
	run_sessions(
		(map { my $on = $_; map { { server => $on, sql => $_ } } $transactions, $transactions,
			"$update\n\\! sleep 0.01\n" x 100 } $east, $west, $collector),
		({ server => $collector, sql => "$poll\\! sleep 0.01\n" x 100 }) x 2);
	$early = query($collector, 'SELECT count(*) FROM got');
	query($_, $update) foreach $east, $west, $collector;
	$_->wait_for_catchup($_->name . '_collector') foreach $east, $west;
	read_all($collector, ($poll) x 2);
	is(query($collector, 'SELECT count(*) FROM event'), 3 * 2 * 300, 'the rows of three servers come together');
	misses_none($collector, 'mailer', 'two programs with one cursor for each server', 'sno_partition(id)');
	cmp_ok($early, '>', 0, "$early rows are read while more are made");
	$_->stop foreach $collector, $east, $west;
}

# A dump of a server whose clock is an hour ahead, with its snapshot or without
{
	my $clock = new_clock('old');
	my ($old, $snapshot);
	my $dump = ids_file('dump');

	$clock->set(3600);
	$old = new_server('old', clock => $clock, settings => $settings);
	query($old, <<"EOF");
CREATE DOMAIN key AS sno;
CREATE TABLE event (id key PRIMARY KEY DEFAULT sno_generate(), stream int);
$insert;
CREATE FUNCTION own(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
	'BEGIN IF current_setting(''test.by_superuser'', true) = ''1'' THEN RAISE ''trapped''; END IF; RETURN 1; END';
CREATE INDEX ON event ((stream + own(2))) WHERE own(1) = 1;
EOF
	new_readers($old, 'old', 'new');
	read_all($old, poll('In order', 'old'));
	$old->command_ok([ 'pg_dump', '-d', $old->connstr('postgres'), '-f', $dump ], 'rows are dumped');
	$snapshot = query($old, 'SELECT sno_snapshot()');
	$old->stop;
	foreach my $restore ("sno_restore('$snapshot')", q{sno_restore_from_tables(sno_lower_bound(now() + '2 hours'))})
	{
		my $new = new_server('new_' . length $restore, databases => [], settings => $settings);

		run_sessions({ server => $new, sql => slurp_file($dump) });
		is_error($new, 'postgres', 'SET test.by_superuser = 1; SELECT max(id) FROM event', 'P0001', qr/trapped/,
			'a query runs what a superuser must not');
		query($new, q{CREATE TABLE made_up AS SELECT sno_lower_bound(now() + '36 hours') AS id});
		is_error($new, 'postgres', 'SELECT sno_restore_from_tables()', '22023',
			qr/129[56]\d\d s ahead of the clock.*column "id" of table public[.]made_up/s,
			'an id that may be made up moves nothing');
		query($new, "SET test.by_superuser = 1; SELECT $restore");
		read_all($new, "$insert;\n", poll('In order', 'old'), poll('At once', 'new'));
		misses_none($new, $_, "moved by $restore, $_", 'true') foreach 'old', 'new';
		$new->stop;
	}
}

done_testing();

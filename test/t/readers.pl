# readers.pl
#	The recipes of doc/reading-new-rows.md, each by the page's own SQL: what they
#	read and when, their plans, and which rows are lost without them.  readers_load.pl
#	shows that they read each row once, whatever happens.  ROWS=n makes the table of
#	the plans larger.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoLoad;
use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# Rows in each plane, for the plans
use constant { POLLS => 200, ROWS => $ENV{ROWS} // 200_000 };

my @recipes = ('in order', 'both', 'at once', 'both, at once');
my $insert = 'INSERT INTO event DEFAULT VALUES';
my $off = preload('sno.tick_tock' => 'off', max_prepared_transactions => 10);
my $server = new_server('readers', settings => $off, init => { allows_streaming => 1 });

# How many rows the reader has read so far
sub got
{
	return query($server, "SELECT count(*) FROM got WHERE reader = '$_[0]'");
}

# A reader that has read all there is
sub new_reader
{
	my ($reader) = @_;

	query($server, page_sql('INSERT INTO reader SELECT') =~ s/'audit'/'$reader'/r =~ s/\n.*//sr);
	return;
}

query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate(), kind text)');
new_readers($server, map { ($_ => [$_]) } @recipes);

# When a row's transaction has ended, the poll that follows reads it
foreach my $recipe (@recipes)
{
	my $output = ids_file('soon');

	run_sessions({ server => $server, output => $output,
		sql => join('', ("$insert;\n" . poll($recipe, $recipe) . "SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM got WHERE reader = '$recipe' AND got.id = event.id);\n") x POLLS) });
	is(slurp_file($output), "0\n" x POLLS, "$recipe: each poll reads what was committed before");
}

{
	my $reader = $server->background_psql('postgres');
	my $said = '';

	new_reader('notified');
	query($server, <<'EOF');
CREATE FUNCTION notify_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY event; RETURN NULL; END $$;
CREATE TRIGGER notify AFTER INSERT ON event FOR EACH STATEMENT EXECUTE FUNCTION notify_event();
EOF
	$reader->query_safe('LISTEN event');
	query($server, "BEGIN; $insert; INSERT INTO event SELECT FROM generate_series(1, 8); $insert; COMMIT");
	$said .= $reader->query_safe('SELECT 1') while $said !~ /notification "event"/;
	$reader->query_safe(poll('in order', 'notified'));
	$reader->quit;
	is(scalar(() = $said =~ /notification "event"/g) . ' ' . got('notified'), '1 10', 'a transaction of many rows makes one notification, and the poll that follows finds them');
	query($server, 'DROP TRIGGER notify ON event');
}

{
	my $session = $server->background_psql('postgres');
	my ($begin) = recipe('in order') =~ /^(BEGIN;\nUPDATE .*?;\n)/s;
	my $select = page_sql('SELECT new.* FROM reader') =~ s/\b1000\b/10/r;
	my ($update) = slurp_file("$ENV{TESTDIR}/doc/reading-new-rows.md") =~ /a third sets .*`(UPDATE [^`]*)`/;
	my (@sizes, @read, $all);

	new_reader('mailer');
	query($server, 'INSERT INTO event SELECT FROM generate_series(1, 25)');
	while (!@sizes || $sizes[-1] != 0)
	{
		my @batch;

		$session->query_safe($begin);
		@batch = map { s{\|.*}{}r } split /\n/, answer_of($session, $select);
		$session->query_safe($update =~ s/\$1/'$batch[-1]'/r) if @batch == 10;
		$session->query_safe('COMMIT');
		push @sizes, scalar @batch;
		push @read, @batch;
	}
	$session->quit;
	$all = query($server, 'SELECT string_agg(id::text, $$ $$ ORDER BY id) FROM (SELECT id FROM event ORDER BY id DESC LIMIT 25) AS last');
	is("@sizes", '10 10 5 0', 'a reader in batches gets as many rows as it wants');
	is("@read", $all, 'each once, and in order');
}

{
	my ($end, $hour) = split /\n/, page_sql('INSERT INTO reader SELECT');
	my ($first, $second, $since);
	my $open = $server->background_psql('postgres');

	query($server, "DELETE FROM reader WHERE name IN ('audit', 'report')");
	$first = query($server, "$insert RETURNING id");
	$since = query($server, 'SELECT clock_timestamp()');
	wait_until($server, "sno_timestamp(sno_generate()) > '$since'");
	query($server, $hour =~ s/now\(\) - interval '1 hour'/'$since'/r);
	$open->query_safe('BEGIN');
	$open->query_safe($insert);
	query($server, "$insert; $end");
	$open->query_safe('COMMIT');
	read_all($server, poll('in order', 'audit'), poll('in order', 'report'));
	is(got('report'), '2', 'a reader that begins at a time reads what came since');
	is(got('audit'), '2', 'one that begins at the end also reads what was not settled');
	$open->query_safe('BEGIN');
	$second = answer_of($open, "$insert RETURNING id");
	query($server, "DELETE FROM reader WHERE name = 'report'; " . ($hour =~ s/now\(\) - interval '1 hour'/clock_timestamp()/r));
	is(query($server, "SELECT upto < '$second' FROM reader WHERE name = 'report'"), 't', 'an open transaction that is older than the time is not left out');
	$open->query_safe('COMMIT');
	$open->quit;
}

{
	my ($create, $call) = split /\n\n/, page_sql('CREATE FUNCTION read_new');
	my $poll = "INSERT INTO got (reader, id) SELECT 'call', id FROM read_new('call');\n";

	query($server, $create);
	new_reader('call');
	query($server, 'DELETE FROM event; DELETE FROM got');
	run_sessions(
		(map { { server => $server, sql => "BEGIN;\nINSERT INTO event SELECT FROM generate_series(1, 3);\n\\! sleep 0.00$_\nCOMMIT;\n" x POLLS } } 1 .. 3),
		(map { { server => $server, sql => $poll x POLLS } } 1 .. 3));
	read_all($server, $poll);
	is_read_once($server, 'call', 'three programs that poll in one call', 'ids');
	is(query($server, "$insert; " . ($call =~ s/mailer/call/r) =~ s/SELECT \*/SELECT count(*)/r), '1', 'which returns the rows');
}

# One that reads at once does not wait for an open transaction, up to its limit
{
	foreach my $recipe ('at once', 'both, at once')
	{
		my $open = $server->background_psql('postgres');
		my ($table, $reader) = $recipe =~ /both/ ? ('reader_of_both', 'hasty of both') : ('reader', 'hasty');
		my @read;

		query($server, 'DELETE FROM event; DELETE FROM got');
		query($server, "INSERT INTO $table VALUES ('$reader')");
		$open->query_safe('BEGIN');
		$open->query_safe($insert);
		foreach my $rows (1, 2, 4, 0)
		{
			query($server, "INSERT INTO event SELECT FROM generate_series(1, $rows)");
			read_all($server, poll($recipe, $reader, 5));
			push @read, got($reader);
		}
		is("@read", '1 3 5 5', "$recipe: beside an open transaction, rows are read until it remembers as many as it may");
		is(query($server, "SELECT cardinality(early) FROM $table WHERE name = '$reader'"), '5', "$recipe: and no more");
		$open->query_safe('COMMIT');
		$open->quit;
		query($server, $insert);
		read_all($server, (poll($recipe, $reader, 5)) x 2);
		is_read_once($server, $reader, "$recipe: when it has ended");
		is(query($server, "SELECT early FROM $table WHERE name = '$reader'"), '{}', "$recipe: then nothing is to be remembered");
	}
}

# What the page says loses rows does so: each of these reads one less than there is
{
	my ($begin, $update, $select) = noted(recipe('in order'), 'lost') =~ /^(BEGIN;\n)(UPDATE .*?;\n)(.*)COMMIT;\n/s or die;
	my @sessions = map { $server->background_psql('postgres') } 1 .. 2;
	my $lock = $server->background_psql('postgres');
	my $lost = sub {
		my ($name) = @_;

		is(query($server, q(SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM got WHERE got.id = event.id))), '1', "lost: $name");
		return query($server, "DELETE FROM event; DELETE FROM got");
	};

	new_reader('lost');
	query($server, 'DELETE FROM event; DELETE FROM got');

	$lock->query_safe('SELECT pg_advisory_lock(1)');
	$sessions[0]->query_until(qr/begun/, <<'EOF');
\echo begun
WITH held AS MATERIALIZED (SELECT pg_advisory_lock(1)),
moved AS (UPDATE reader SET since = upto, upto = sno_resolved(upto) FROM held WHERE name = 'lost' RETURNING since, upto)
INSERT INTO got (reader, id) SELECT 'lost', id FROM moved JOIN event ON id > since AND id <= upto;
SELECT pg_advisory_unlock(1);
EOF
	wait_for_lock($server);
	query($server, $insert);
	$lock->query_safe('SELECT pg_advisory_unlock(1)');
	$sessions[0]->query_safe('SELECT 1');
	read_all($server, "$begin$update${select}COMMIT;\n");
	$lost->('by an UPDATE in the statement that reads');

	query($server, $insert);
	$sessions[0]->query_safe($update);
	$sessions[1]->query_safe($update);
	$_->query_safe($select) foreach @sessions;
	$lost->('by two programs without BEGIN');

	query($server, $insert);
	query($server, "DO \$\$ BEGIN $update BEGIN $select PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN NULL; END; END \$\$");
	read_all($server, "$begin$update${select}COMMIT;\n");
	$lost->('by an error in a block with an EXCEPTION handler');

	$_->quit foreach @sessions, $lock;
}

# Whatever the planner knows of the reader: its first poll, and a later one
{
	my $rows = ROWS;
	my $batch = page_sql('SELECT new.* FROM reader');
	my $bounds = '(id > reader.since) AND (id <= reader.upto)';

	query($server, <<"EOF");
DELETE FROM event;
INSERT INTO event SELECT FROM generate_series(1, $rows);
INSERT INTO event SELECT sno_make(now() - n * interval '4 ms', tick_tock => true) FROM generate_series(1, $rows) AS n;
VACUUM ANALYZE event;
INSERT INTO reader SELECT 'mailer', sno_min(), max(id) FROM event ON CONFLICT (name) DO UPDATE SET since = sno_min(), upto = excluded.upto;
INSERT INTO reader_of_both SELECT 'mailer', sno_min(), max(id), sno_min(), max(id) FROM event;
EOF
	foreach my $when ('first poll', 'first poll, analyzed', 'later', 'later, analyzed')
	{
		query($server, 'UPDATE reader SET since = upto; UPDATE reader_of_both SET since_0 = upto_0, since_1 = upto_1') if $when eq 'later';
		query($server, 'ANALYZE reader, reader_of_both') if $when =~ /analyzed/;
		foreach my $recipe (@recipes, 'in batches')
		{
			my $select = $recipe eq 'in batches' ? $batch : (recipe($recipe) =~ /^BEGIN;\nUPDATE .*?;\n(.*)COMMIT;\n/s)[0];
			my $plan = query($server, "EXPLAIN (COSTS OFF) $select");

			note "$recipe, $when:\n$plan";
			unlike($plan, qr/Seq Scan on event/, "$recipe, $when: no scan of the whole table");
			unlike($plan, qr/event_pkey on event(_\d+)?\n(?!\s*(Recheck|Index) Cond)/, "$recipe, $when: and none of the whole index") or diag $plan;
			like($plan, qr/Index Scan using event_pkey on event\n\s*Index Cond: .\Q$bounds\E/s, "$recipe, $when: rows come from the index in their order") if $recipe eq 'in batches';
		}
	}
}

# On a standby, by the bound that the primary writes
{
	my ($create, $insert_bound, $update) = split /(?<=;)\n/, page_sql('CREATE TABLE resolved (');
	my $read = ids_file('read');
	my $poll = <<'EOF';
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT upto FROM resolved \gset
SELECT id FROM event WHERE id > :'since' AND id <= (SELECT upto FROM resolved) ORDER BY id;
COMMIT;
\set since :upto
EOF
	my ($standby, $early);

	query($server, "TRUNCATE event; $create $insert_bound");
	$standby = new_standby($server, 'standby');
	is_error($standby, 'postgres', $update, '25006', qr/read-only/, 'a standby has no bound of its own');
	run_sessions(
		(map { { server => $server, sql => "BEGIN;\nINSERT INTO event SELECT FROM generate_series(1, 3);\n\\! sleep 0.00$_\nCOMMIT;\n" x 100 } } 1 .. 6),
		{ server => $server, sql => "$update\n\\! sleep 0.005\n" x 200 },
		{ server => $standby, output => $read, sql => "\\set since 2222222222222222\n" . "$poll\\! sleep 0.005\n" x 200 });
	$early = id_count($read);
	query($server, $update);
	$server->wait_for_catchup($standby);
	run_sessions({ server => $standby, output => "$read.last", sql => "\\set since " . (output_of("tail -n 1 $read") || '2' x 16) . "\n$poll" });
	output_of("cat $read.last >> $read");
	is(slurp_file($read), query($server, 'SELECT id FROM event ORDER BY id') . "\n", 'on a standby, each row is read once, and in order');
	cmp_ok($early, '>', 0, "$early of them while the primary makes more");
	$standby->stop;
}

# Rows of both planes, in a dump, on a server that has a snapshot of the old one, or not
{
	my $clock = new_clock('old');
	my $old = new_server('old', clock => $clock);
	my $dump = ids_file('dump');
	my ($new, $snapshot, $said);

	query($old, "CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate()); INSERT INTO event SELECT FROM generate_series(1, 100)");
	new_readers($old, both => ['old', 'mailer']);
	$clock->set(-60);
	query($old, 'INSERT INTO event SELECT FROM generate_series(1, 100)');
	read_all($old, poll('both', 'old'));
	$old->command_ok([ 'pg_dump', '-d', $old->connstr('postgres'), '-f', $dump ], 'they are dumped');
	$snapshot = query($old, 'SELECT sno_snapshot()');
	$old->stop;

	$new = new_server('without', databases => []);
	run_sessions({ server => $new, sql => slurp_file($dump) });
	read_all($new, "$insert;\n", poll('both', 'mailer'));
	is(query($new, q(SELECT count(*) FROM got WHERE reader = 'mailer')), '101', 'moved, without the snapshot: a new reader misses rows');
	is_error($new, 'postgres', poll('both', 'old'), '55000', qr/cursor is ahead/, 'and an old one is told');
	$new->stop;

	$new = new_server('with', databases => []);
	run_sessions({ server => $new, sql => slurp_file($dump) });
	$new->psql('postgres', "SELECT sno_restore('$snapshot')", stderr => \$said);
	like($said, qr/NOTICE:  the snapshot was taken with other partitions.*DETAIL:  .*With the snapshot, sno_resolved\(\) goes beyond the rows/s, 'sno_restore says what it is for');
	read_all($new, poll('both', 'mailer'), "$insert;\n", poll('both', 'mailer'), poll('both', 'old'));
	is_read_once($new, $_, "moved, with the snapshot, $_", 'planes') foreach 'mailer', 'old';
	$new->stop;
}

done_testing();

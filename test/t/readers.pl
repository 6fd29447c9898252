# readers.pl
#	The recipes of doc/reading-new-rows.md and doc/partitions.md, each by the page's own
#	SQL: in batches, from the end, at once, on a standby, of several servers and after a
#	move no row is missed, and no plan reads the whole table.  readers_load.pl shows that
#	rows are read once, whatever happens.  ROWS=n makes the table of the plans larger.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoLoad;
use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# Rows in each plane, for the plans
use constant ROWS => $ENV{ROWS} // 200_000;

my @recipes = ('in order', 'both', 'at once');
my $insert = 'INSERT INTO event DEFAULT VALUES';
my $off = preload('sno.tick_tock' => 'off');
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

# In batches
{
	my $session = $server->background_psql('postgres');
	my ($begin) = recipe('in order') =~ /^(BEGIN;\nUPDATE .*?;\n)/s;
	my $select = page_sql('SELECT new.* FROM reader') =~ s/\b1000\b/10/r;
	my ($update) = slurp_file("$ENV{TESTDIR}/doc/reading-new-rows.md") =~ /a third sets .*`(UPDATE [^`]*)`/;
	my (@sizes, @read, $all);

	new_reader('mailer');
	query($server, 'INSERT INTO event SELECT FROM generate_series(1, 25)');
	foreach (1 .. 4)
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

# From the end, or a time
{
	my ($end, $hour) = split /\n/, page_sql('INSERT INTO reader SELECT');
	my $open = $server->background_psql('postgres');

	$open->query_safe('BEGIN');
	$open->query_safe($insert);
	query($server, "$insert; $end; $hour");
	$open->query_safe('COMMIT');
	$open->quit;
	read_all($server, poll('in order', 'audit'), poll('in order', 'report'));
	is(got('audit'), '2', 'a reader that begins at the end also reads what was not settled');
	cmp_ok(got('report'), '>', 2, 'one that begins at a time reads what came since');
}

# One that reads at once does not wait for an open transaction, up to its limit
{
	my $open = $server->background_psql('postgres');
	my @read;

	query($server, "DELETE FROM event; DELETE FROM got; INSERT INTO reader VALUES ('hasty')");
	$open->query_safe('BEGIN');
	$open->query_safe($insert);
	foreach my $rows (1, 2, 4, 0)
	{
		query($server, "INSERT INTO event SELECT FROM generate_series(1, $rows)");
		read_all($server, poll('at once', 'hasty', 5));
		push @read, got('hasty');
	}
	is("@read", '1 3 5 5', 'beside an open transaction, rows are read until the reader remembers as many as it may');
	is(query($server, q(SELECT cardinality(early) FROM reader WHERE name = 'hasty')), '5', 'and no more');
	$open->query_safe('COMMIT');
	$open->quit;
	query($server, $insert);
	read_all($server, (poll('at once', 'hasty', 5)) x 2);
	is_read_once($server, 'hasty', 'at once, when it has ended');
	is(query($server, q(SELECT early FROM reader WHERE name = 'hasty')), '{}', 'then nothing is to be remembered');
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

# Several servers, whose rows are replicated into one table, with a cursor for each
{
	my ($create, $insert_bound, $update) = split /(?<=;)\n(?=INSERT|UPDATE)/, page_block('doc/partitions.md', 'CREATE TABLE event') =~ s/.*?\n\n//r;
	my ($readers, $poll) = split /^(?=BEGIN;)/m, page_block('doc/partitions.md', 'CREATE TABLE reader_of (');
	my $transactions = "BEGIN;\nINSERT INTO event SELECT FROM generate_series(1, 3);\n\\! sleep 0.01\nCOMMIT;\n" x 100;
	my ($east, $west, $collector) = map {
		new_server($_->[0], init => { allows_streaming => 'logical' }, settings => preload('sno.partition' => $_->[1], 'sno.tick_tock' => 'off'))
	} [ 'east', 1024 ], [ 'west', 2048 ], [ 'collector', 3072 ];
	my $early;

	query($_, "CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate()); $create CREATE PUBLICATION event FOR TABLE event, resolved_of") foreach $east, $west, $collector;
	query($collector, 'CREATE SUBSCRIPTION ' . $_->name . '_collector CONNECTION $$' . $_->connstr('postgres') . '$$ PUBLICATION event WITH (copy_data = false)') foreach $east, $west;
	query($_, $insert_bound) foreach $east, $west, $collector;
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
	$_->stop foreach $collector, $east, $west;
}

# Rows of both planes, in a dump, on a server that has a snapshot of the old one, or not
{
	my $clock = new_clock('old');
	my $old = new_server('old', clock => $clock);
	my $dump = ids_file('dump');
	my ($new, $snapshot);

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
	query($new, "SELECT sno_restore('$snapshot')");
	read_all($new, poll('both', 'mailer'), "$insert;\n", poll('both', 'mailer'), poll('both', 'old'));
	is_read_once($new, $_, "moved, with the snapshot, $_", 'planes') foreach 'mailer', 'old';
	$new->stop;
}

done_testing();

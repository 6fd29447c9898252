# resolved.pl
#	Who reads up to sno_resolved() reads each row once and misses none, whatever
#	transactions and the clock do; who reads what is above the last id misses rows.
#
# First what holds the bound back, and what does not, case by case; then a load.
# ROWS=n is how many rows that makes: ROWS=1000000 SUITE=test/t/resolved.pl make test
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(time usleep);

use SnoClock;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	ROWS => $ENV{ROWS} // 30_000,
	WRITERS => 6,
	TRANSACTIONS => 40,			# of a writer, before another takes its place
	ROUNDS => 500,				# of prepared transactions
	CONNECTIONS => 300,
	SESSIONS => 4000,			# need more memory than is left without preloading
};

my $insert = 'INSERT INTO event DEFAULT VALUES RETURNING id';
my $clock = SnoClock->new('resolved');
my ($server, $standby);

# Is the id below the bound of its plane?
sub is_resolved
{
	my ($on, $id, $expected, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(query($on, "SELECT '$id' < sno_resolved(sno_tick_tock('$id'))"), $expected ? 't' : 'f', $name);
}

# What a session in the background says; that of 16 ends in a newline
sub ask
{
	my ($session, $sql) = @_;

	return $session->query_safe($sql) =~ s/\n\z//r;
}

# Until the clock has left the tick of what was done
sub next_tick
{
	usleep(10_000);
	return;
}

# Prepares a transaction; returns its first id
sub prepare
{
	my ($on, $gid) = @_;

	return query($on, "BEGIN; $insert; PREPARE TRANSACTION '$gid'");
}

sub test_open_transaction
{
	my ($how) = @_;
	my $open = $server->background_psql('postgres');
	my $id;

	$open->query_safe('BEGIN');
	$id = ask($open, $insert);
	query($server, join(";\\c\n", ($insert) x CONNECTIONS));
	next_tick();
	is_resolved($server, $id, 0, "$how: an open transaction holds the bound back, however many connections come and go");
	$open->query_safe('COMMIT');
	is_resolved($server, $id, 1, "$how: until it commits");

	$open->query_safe('BEGIN');
	$id = ask($open, $insert);
	next_tick();
	query($server, "SELECT pg_terminate_backend(pid) FROM sno_unresolved");
	$server->poll_query_until('postgres', "SELECT '$id' < sno_resolved(sno_tick_tock('$id'))")
	  or die 'a session that was terminated holds the bound back';
	$open->{run}->finish;
	return;
}

# The snapshot of a statement is older than the calls in it
sub test_one_statement
{
	my $lock = $server->background_psql('postgres');
	my $reader = $server->background_psql('postgres');

	$lock->query_safe('SELECT pg_advisory_lock(1)');
	$reader->query_until(qr/begun/, <<'EOF');
\echo begun
WITH held AS MATERIALIZED (SELECT pg_advisory_lock(1)), bounds AS MATERIALIZED (SELECT b.* FROM held, sno_resolved_both() AS b)
SELECT count(*) AS seen FROM event, bounds WHERE id < CASE WHEN sno_tick_tock(id) THEN resolved_1 ELSE resolved_0 END \gset
EOF
	$server->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted))
	  or die 'the reader does not wait';
	query($server, $insert);
	next_tick();
	$lock->query_safe('SELECT pg_advisory_unlock(1)');
	is(ask($reader, 'SELECT count(*) - :seen FROM event'), '1', 'a statement that takes its own bounds misses a row');
	$_->quit foreach $lock, $reader;
	return;
}

sub test_pause
{
	my $id = query($server, $insert);

	next_tick();
	is_resolved($server, $id, 1, 'the last row before a pause is delivered');
	$id = query($server, $insert);
	$clock->set($clock->offset_s - 3600);
	is_resolved($server, $id, 1, 'also if the clock is put back by an hour');
	$id = query($server, $insert);
	next_tick();
	is_resolved($server, $id, 1, 'and so is the next one, of the other plane');
	is(query($server, 'SELECT step_backs > 0 FROM sno_stat'), 't', 'which it is');
	return;
}

sub test_prepared
{
	my ($first, $second, $gid);

	$first = prepare($server, 'first');
	query($server, "DISCARD ALL; $insert");
	next_tick();
	is_resolved($server, $first, 0, 'a prepared transaction holds the bound back');
	is(query($server, "SELECT pid IS NULL, gid, since < now() FROM sno_unresolved"), 't|first|t', 'and sno_unresolved shows it');
	is(query($server, "SELECT unresolved_age >= 10 FROM sno_stat"), 't', 'and sno_stat how old it is');

	query($server, join(";\n", map { "BEGIN; $insert; PREPARE TRANSACTION 'again'; " . ($_ % 2 ? 'COMMIT' : 'ROLLBACK') . " PREPARED 'again'" } 1 .. ROUNDS));
	is_resolved($server, $first, 0, ROUNDS . ' others took the other place');
	query($server, "COMMIT PREPARED 'first'");
	is_resolved($server, $first, 1, 'until it ends');

	foreach my $way (qw(fast immediate))
	{
		# It has ids of both planes, of which one is an hour ahead
		my $session = $server->background_psql('postgres');

		$session->query_safe('BEGIN');
		$first = ask($session, $insert);
		$clock->set($clock->offset_s - 5) if $way eq 'fast';
		$second = ask($session, $insert);
		$session->query_safe("PREPARE TRANSACTION 'both'");
		$session->quit;
		$clock->set($clock->offset_s + 7200) if $way eq 'fast';
		query($server, 'CHECKPOINT') if $way eq 'immediate';
		$server->stop($way);
		$clock->run(sub { $server->start });
		isnt(query($server, "SELECT sno_tick_tock('$first')"), query($server, "SELECT sno_tick_tock('$second')"), 'it has ids of both planes')
		  if $way eq 'fast';
		query($server, $insert);
		next_tick();
		is_resolved($server, $_, 0, "after a stop ($way), it still holds the bound back") foreach ($first, $second);
		query($server, "ROLLBACK PREPARED 'both'");
		is_resolved($server, $_, 1, "until it ends") foreach ($first, $second);
	}
	return;
}

sub test_standby
{
	my ($first, $row, $second);

	$server->backup('base');
	$standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($server, 'base', has_streaming => 1);
	$clock->run(sub { $standby->start });
	is_error($standby, 'postgres', 'SELECT sno_resolved()', '25006', qr/during recovery.*HINT/s, 'a standby does not know');
	is(query($standby, 'SELECT count(*) FROM sno_unresolved'), '0', 'nor what holds it back');
	$first = prepare($server, 'survives');
	$second = query($server, $insert);
	$server->wait_for_catchup('standby', 'replay', $server->lsn('insert'));
	crash($server);
	$clock->set($clock->offset_s + 2);
	$standby->promote;
	is_resolved($standby, $first, 0, 'after a promotion, a prepared transaction holds the bound back');
	query($standby, "COMMIT PREPARED 'survives'");
	is_resolved($standby, $_, 1, 'until it ends') foreach ($first, $second);
	$standby->stop;
	$clock->run(sub { $server->start });
	query($server, "ROLLBACK PREPARED 'survives'");
	return;
}

# When sno is first used, locks have taken nearly all memory that was left
sub test_no_memory
{
	my $locks;

	$clock->run(sub { configure($server, { max_connections => SESSIONS, max_locks_per_transaction => 10 }) });
	$locks = $server->background_psql('postgres');
	$locks->query_safe(<<'EOF');
DO $$
BEGIN
	FOR n IN 1 .. 1000000 LOOP
		PERFORM pg_advisory_lock(n);
		EXIT WHEN n % 50 = 0 AND (SELECT size < 200000 FROM pg_shmem_allocations WHERE name IS NULL);
	END LOOP;
END
$$;
EOF
	is_error($server, 'postgres', 'SELECT sno_resolved()', '53200', qr/no shared memory is left.*shared_preload_libraries/s,
		'without memory for places, nothing is resolved');
	like(query($server, $insert), qr/^\w{16}$/, 'but ids are generated');
	is(query($server, 'SELECT unresolved_age IS NULL FROM sno_stat'), 't', 'and sno_stat shows that nothing is known');
	$locks->quit;
	return;
}

#
# A load
#

my @pauses = ('', '', map { "\\! sleep 0.00$_\n" } 1 .. 9);

sub pause
{
	return $pauses[ rand @pauses ];
}

sub rows
{
	return 'INSERT INTO event SELECT FROM generate_series(1, ' . int(1 + rand(ROWS / 600)) . ");\n";
}

# A transaction of one of the kinds that there are
sub transaction
{
	my ($gid) = @_;
	my $end = rand(4) < 3 ? 'COMMIT' : 'ROLLBACK';
	my @kinds = (
		sub { return rows() },
		sub { return "BEGIN;\n" . rows() . pause() . rows() . pause() . "$end;\n" },
		sub { return "BEGIN;\n" . rows() . "SAVEPOINT s;\n" . rows() . pause() . "ROLLBACK TO s;\n" . rows() . "$end;\n" },
		sub { return "CALL rows_of_two_transactions(" . int(1 + rand(ROWS / 600)) . ");\n" },
		sub { return "BEGIN;\n" . rows() . pause() . "PREPARE TRANSACTION '$gid';\n" . pause() . "$end PREPARED '$gid';\n" });

	return $kinds[ rand @kinds ]->();
}

# One that a writer ends with: its transaction stays open, or its session dies
sub last_transaction
{
	my ($gid) = @_;

	return rand(3) < 1
	  ? "BEGIN;\n" . rows() . "PREPARE TRANSACTION '$gid';\n"
	  : "BEGIN;\n" . rows() . pause() . "SELECT pg_terminate_backend(pg_backend_pid());\n";
}

sub start_psql
{
	my ($name, $script, $output) = @_;
	my $file = ids_file("load_$name") . '.sql';

	set_file($file, "SET client_min_messages = error;\n$script");
	return IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $server->connstr('postgres') . " options='-c sno.wait_timeout=-1 -c statement_timeout=0'", '-f', $file ],
		'<', '/dev/null', '>>', $output, '2>', '/dev/null');
}

my $number = 0;

sub start_writer
{
	my $gid = 'load' . $number++;

	return start_psql("writer$number", join('', map { transaction($gid) } 1 .. TRANSACTIONS) . last_transaction("open$number"), '/dev/null');
}

# What readers keep, and what they do with it.  A line with the new cursors ends
# each reading: what comes after the last one is read again.
my %readers = (
	resolved => [ [ '2' x 16, '2' x 16 ], <<'EOF' ],
SELECT resolved_0 AS u0, resolved_1 AS u1 FROM sno_resolved_both() \gset
SELECT id FROM event WHERE id >= :'c0' AND id < :'u0' AND NOT sno_tick_tock(id)
UNION ALL
SELECT id FROM event WHERE id >= :'c1' AND id < :'u1' AND sno_tick_tock(id) ORDER BY id;
SELECT '= ' || :'u0' || ' ' || :'u1';
\set c0 :u0
\set c1 :u1
EOF
	last => [ [ '2' x 16 ], <<'EOF' ]);
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT coalesce((SELECT max(id) FROM event WHERE id > :'c0'), :'c0') AS u0 \gset
SELECT id FROM event WHERE id > :'c0' ORDER BY id;
COMMIT;
SELECT '= ' || :'u0';
\set c0 :u0
EOF

# start_reader(NAME, READINGS): from the cursors that it had last
sub start_reader
{
	my ($name, $readings) = @_;
	my ($first, $poll) = @{ $readers{$name} };
	my $output = ids_file("read_$name");
	my $lines = -e $output ? slurp_file($output) : '';
	my @cursors = $lines =~ /.*^= ([^\n]*)$/ms ? split / /, $1 : @$first;
	my $sets = join '', map { "\\set c$_ $cursors[$_]\n" } 0 .. $#cursors;

	# What was read without new cursors does not count
	set_file($output, $lines =~ /(.*^= [^\n]*\n)/ms ? $1 : '');
	return start_psql("reader_$name", $sets . "$poll\\! sleep 0.005\n" x $readings, $output);
}

sub finish_prepared
{
	foreach my $gid (split /\n/, query($server, "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'open%'"))
	{
		query($server, (rand(2) < 1 ? 'COMMIT' : 'ROLLBACK') . " PREPARED '$gid'");
	}
	return;
}

# Ahead by two hours and back by one, as every tick can be used but twice
sub step_clock
{
	my $step_s = (-0.03, -0.03, -1, 1, -3600)[ rand 5 ];

	$clock->set($clock->offset_s + 7200) if $step_s == -3600;
	usleep(50_000) if $step_s == -3600;
	$clock->set($clock->offset_s + $step_s);
	return;
}

# In one plane the bounds ascend, and so do the ids
sub test_order
{
	my ($read) = @_;
	# The lowest bit of the eighth digit is the tick-tock bit
	my %parts = (
		ids_0 => "grep '^[^ ]\\{7\\}[2468acegikmoqsuw]'",
		ids_1 => "grep '^[^ ]\\{7\\}[3579bdfhjlnprtvx]'",
		bounds_0 => "cut -s -d ' ' -f 2",
		bounds_1 => "cut -s -d ' ' -f 3");

	output_of("$parts{$_} $read | uniq > $read.$_") foreach keys %parts;
	return is(disorders(map { "$read.$_" } keys %parts), 0, 'bounds and ids only ascend in each plane');
}

# How many of the table's rows a reader missed, how many it read twice, and what
# it read that is not there
sub compare
{
	my ($name) = @_;
	my ($rows, $read) = (ids_file('rows'), ids_file("read_$name"));

	run_sessions({ server => $server, sql => "COPY (SELECT id FROM event) TO STDOUT;\n", output => $rows });
	output_of("sort -o $rows $rows; grep -v = $read | sort > $read.sorted");
	return map { output_of("$_ | wc -l") } "comm -23 $rows $read.sorted", "uniq -d $read.sorted", "comm -13 $rows $read.sorted";
}

sub test_load
{
	my ($rows, $crashes, $start_s) = (0, 0, time);
	my (%reading, @writers);

	query($server, <<'EOF');
TRUNCATE event;
CREATE PROCEDURE rows_of_two_transactions(n int) LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO event SELECT FROM generate_series(1, n);
	COMMIT;
	INSERT INTO event SELECT FROM generate_series(1, n);
END
$$;
EOF
	unlink ids_file("read_$_") foreach keys %readers;
	while ($rows < ROWS)
	{
		my $until_rows = $rows + ROWS / ($ENV{ROWS} ? 20 : 3);

		$reading{$_} = start_reader($_, 20_000) foreach keys %readers;
		while ($rows < $until_rows)
		{
			@writers = grep { my $runs = $_->pumpable; $_->finish if !$runs; $runs } @writers;
			push @writers, start_writer() while @writers < WRITERS;
			usleep(100_000);
			step_clock() if rand(4) < 1;
			finish_prepared() if rand(2) < 1;
			$rows = query($server, 'SELECT count(*) FROM event');
		}
		# Prepared transactions stay open over it
		crash($server);
		$_->finish foreach @writers, values %reading;
		@writers = ();
		$clock->run(sub { $server->start });
		$crashes++;
	}
	query($server, "ROLLBACK PREPARED '$_'") foreach split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts');
	next_tick();
	start_reader($_, 1)->finish foreach keys %readers;
	note sprintf('%d rows, %d writers, %d crashes, %d s; %s', $rows, $number, $crashes, time - $start_s,
		query($server, "SELECT 'in each plane: ' || string_agg(n::text, ', ') FROM (SELECT count(*) AS n FROM event GROUP BY sno_tick_tock(id)) AS c"));

	is(join(' ', compare('resolved')), '0 0 0', 'up to the bounds no row is missed, none is read twice, and none that is not there');
	test_order(ids_file('read_resolved'));
	cmp_ok((compare('last'))[0], '>', 0, 'above the last id, rows are missed: ' . (compare('last'))[0]);
	return;
}

seed_random();
$clock->set(-86400);
$server = new_server('resolved',
	clock => $clock,
	init => { allows_streaming => 1 },
	settings => { max_prepared_transactions => 2, max_connections => 40 });
query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');
$clock->set(-43200);

test_open_transaction('not preloaded');
test_one_statement();
test_pause();
$clock->set(-36000);
test_prepared();
test_standby();

test_no_memory();
$clock->run(sub { configure($server, preload(max_connections => SESSIONS, max_prepared_transactions => 20)) });
test_open_transaction('preloaded');
$clock->run(sub { configure($server, preload(max_prepared_transactions => 40)) });
test_load();

done_testing();

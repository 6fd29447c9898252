# resolved.pl
#	Who reads as doc/reading-new-rows.md says reads each row once and misses none,
#	whatever transactions, the clock and crashes do, in order or at once, with one
#	cursor or with two; who reads what is above the last id misses rows.
#
# First what holds the bound back, and what does not, case by case; then a load, with
# sno.tick_tock off, on, and off again, and with a standby that is promoted.
# ROWS=n is how many rows that makes: ROWS=1000000 SUITE=test/t/resolved.pl make test
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(time usleep);

use SnoClock;
use SnoReaders;
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

# Is the id settled, as the bound of its plane says?
sub is_resolved
{
	my ($on, $id, $expected, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(query($on, "SELECT '$id' <= sno_resolved(tick_tock => sno_tick_tock('$id'))"), $expected ? 't' : 'f', $name);
}

# While prepared transactions of before the start are open, no reader gets a bound
sub is_unknown
{
	my ($on, $count, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is_error($on, 'postgres', "SELECT $_", '55000', qr/until older prepared transactions have ended\n.*DETAIL:  $count prepared .*pg_prepared_xacts/s, "$name: $_")
	  foreach 'sno_resolved(sno_min(), false)', 'sno_resolved(tick_tock => true)';
	return is(query($on, 'SELECT unresolved_age FROM sno_stat'), 'Infinity', "$name: and sno_stat shows it");
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
	$id = answer_of($open, $insert);
	query($server, join(";\\c\n", ($insert) x CONNECTIONS));
	is_resolved($server, $id, 0, "$how: an open transaction holds the bound back, however many connections come and go");
	$open->query_safe('COMMIT');
	is_resolved($server, $id, 1, "$how: until it commits");

	$open->query_safe('BEGIN');
	$id = answer_of($open, $insert);
	query($server, "SELECT pg_terminate_backend(pid) FROM sno_unresolved");
	$server->poll_query_until('postgres', "SELECT '$id' <= sno_resolved(tick_tock => sno_tick_tock('$id'))")
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
WITH held AS MATERIALIZED (SELECT pg_advisory_lock(1)), bounds AS MATERIALIZED (SELECT sno_resolved(tick_tock => false) AS upto_0, sno_resolved(tick_tock => true) AS upto_1 FROM held)
SELECT count(*) AS seen FROM event, bounds WHERE id <= CASE WHEN sno_tick_tock(id) THEN upto_1 ELSE upto_0 END \gset
EOF
	$server->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted))
	  or die 'the reader does not wait';
	query($server, $insert);
	$lock->query_safe('SELECT pg_advisory_unlock(1)');
	is(answer_of($reader, 'SELECT count(*) - :seen FROM event'), '1', 'a statement that takes its own bounds misses a row');
	$_->quit foreach $lock, $reader;
	return;
}

sub test_pause
{
	my $id = query($server, $insert);

	is_resolved($server, $id, 1, 'a row that is committed is settled');
	$id = query($server, $insert);
	$clock->set($clock->offset_s - 3600);
	is_resolved($server, $id, 1, 'also if the clock is put back by an hour');
	$id = query($server, $insert);
	is_resolved($server, $id, 1, 'and so is the next one, of the other plane');
	is(query($server, 'SELECT step_backs > 0 FROM sno_stat'), 't', 'which it is');
	return;
}

sub test_prepared
{
	my ($first, $second);

	$first = prepare($server, 'first');
	query($server, "DISCARD ALL; $insert");
	is_resolved($server, $first, 0, 'a prepared transaction holds the bound back');
	is(query($server, "SELECT pid IS NULL, gid, role = current_user, since < now() FROM sno_unresolved"), 't|first|t|t', 'and sno_unresolved shows it');
	is(query($server, "SELECT pg_sleep(0.01); SELECT unresolved_age >= 10 FROM sno_stat"), "\nt", 'and sno_stat how old it is');

	query($server, join(";\n", map { "BEGIN; $insert; PREPARE TRANSACTION 'again'; " . ($_ % 2 ? 'COMMIT' : 'ROLLBACK') . " PREPARED 'again'" } 1 .. ROUNDS));
	is_resolved($server, $first, 0, ROUNDS . ' others took the other place');
	query($server, "COMMIT PREPARED 'first'");
	is_resolved($server, $first, 1, 'until it ends');

	# It has ids of both planes, of which one is ahead
	{
		my $session = $server->background_psql('postgres');

		$session->query_safe('BEGIN');
		$first = answer_of($session, $insert);
		$clock->set($clock->offset_s - 5);
		$second = answer_of($session, $insert);
		$session->query_safe("PREPARE TRANSACTION 'both'");
		$session->quit;
		isnt(query($server, "SELECT sno_tick_tock('$first')"), query($server, "SELECT sno_tick_tock('$second')"), 'one has ids of both planes');
		is_resolved($server, $_, 0, 'and holds both bounds back') foreach ($first, $second);
		query($server, "COMMIT PREPARED 'both'");
		$clock->set($clock->offset_s + 7200);
	}
	return;
}

# A prepared transaction outlives the server, which does not know its ids then
sub test_restart
{
	my ($old, $new);

	foreach my $way (qw(fast immediate))
	{
		$old = prepare($server, 'old');
		query($server, 'CHECKPOINT') if $way eq 'immediate';
		$server->stop($way);
		$clock->run(sub { $server->start });

		# Who uses sno first: a writer, or a reader
		query($server, $insert) if $way eq 'fast';
		is_unknown($server, 1, "after a stop ($way)");
		$new = prepare($server, 'new');
		is_unknown($server, 1, 'one that was prepared since then does not count');
		query($server, "COMMIT PREPARED 'old'");
		is_resolved($server, $old, 1, 'when the old one has ended, its rows can be read');
		is_resolved($server, $new, 0, 'and the new one holds the bound back');
		query($server, "ROLLBACK PREPARED 'new'");
		is_resolved($server, $new, 1, 'until it ends');
	}

	# One without ids, whether or not it is known
	query($server, "BEGIN; CREATE TABLE old (); PREPARE TRANSACTION 'old'");
	is_resolved($server, $new, 1, 'one without ids does not count');
	$server->stop;
	$clock->run(sub { $server->start });
	is_unknown($server, 1, 'unless it is older than the start, and may have some');
	query($server, "BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION 'new'; ROLLBACK PREPARED 'old'");
	is_resolved($server, $new, 1, 'the other goes on counting for nothing');
	query($server, "ROLLBACK PREPARED 'new'");
	return;
}

# However a transaction ends that made an id, nothing is left of it
sub test_ends
{
	my ($how) = @_;
	my $pid = query($server, 'SELECT pid FROM pg_stat_activity WHERE backend_type = $$checkpointer$$');
	my $prepare = "PREPARE TRANSACTION 'end'";
	my @ends = (
		'COMMIT', 'ROLLBACK', 'COMMIT AND CHAIN; COMMIT', 'ROLLBACK AND CHAIN; SELECT sno_generate(); ROLLBACK',
		"SAVEPOINT s; $insert; RELEASE s; COMMIT", "SAVEPOINT s; $insert; ROLLBACK TO s; COMMIT", 'SELECT 1 / 0; COMMIT',
		"CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (1), (1); COMMIT",
		'SELECT pg_terminate_backend(pg_backend_pid())',
		(map { my $end = "$prepare; $_ PREPARED 'end'"; ($end, "SAVEPOINT s; $insert; $end", "SAVEPOINT s; $insert; ROLLBACK TO s; $end") } qw(COMMIT ROLLBACK)),
		# What the server refuses to prepare, early and late
		"PREPARE TRANSACTION '" . 'x' x 300 . "'", "CREATE TEMP TABLE own (); $prepare", "LISTEN event; $prepare",
		"SELECT pg_export_snapshot(); $prepare", "SELECT pg_advisory_lock(1), pg_advisory_xact_lock(1); $prepare");

	foreach my $end (@ends)
	{
		$server->psql('postgres', "BEGIN; $insert; $end");
	}
	is(query($server, 'SELECT count(*) FROM sno_unresolved'), '0', "$how: nothing is left, however a transaction ends: " . @ends . ' ways');
	is(query($server, "SELECT count(*) FROM pg_stat_activity WHERE pid = $pid"), '1', "$how: and no session did");
	is(query($server, 'SELECT count(*) FROM pg_prepared_xacts'), '0', "$how: nor is anything prepared");
	return;
}

# The server finds out after sno was told that the transaction will be prepared
sub test_no_place
{
	my ($sqlstate, $message, $how) = @_;
	my $other = $server->background_psql('postgres');
	my $pid = answer_of($other, 'SELECT pg_backend_pid()');

	foreach my $sql ('SELECT sno_generate(0)', $insert, "SAVEPOINT s; $insert; ROLLBACK TO s; SELECT sno_generate(0)")
	{
		is_error($server, 'postgres', "BEGIN; $sql; PREPARE TRANSACTION 'one more'", $sqlstate, $message, "$how: PREPARE TRANSACTION is the server's error");
	}
	is(answer_of($other, "SELECT $pid = pg_backend_pid()"), 't', "$how: no other session ends");
	$other->quit;
	return;
}

sub test_all_prepared
{
	prepare($server, $_) foreach 1, 2;
	test_no_place('53200', qr/maximum number of prepared transactions reached/, 'with all transactions prepared that can be');
	query($server, "COMMIT PREPARED '$_'") foreach 1, 2;
	return;
}

sub test_standby
{
	my ($first, $row, $second);

	$server->backup('base');
	$standby = PostgreSQL::Test::Cluster->new('standby');
	$standby->init_from_backup($server, 'base', has_streaming => 1);
	$clock->run(sub { $standby->start });
	is_error($standby, 'postgres', 'SELECT sno_resolved(sno_min(), false)', '25006', qr/during recovery.*HINT/s, 'a standby does not know');
	is(query($standby, 'SELECT count(*) FROM sno_unresolved'), '0', 'nor what holds it back');
	is(query($standby, 'SELECT unresolved_age FROM sno_stat'), '0', 'nor since when');
	is_error($standby, 'postgres', 'SELECT sno_generate()', '25006', qr/during recovery/, 'and makes no id');
	$first = prepare($server, 'survives');
	$second = query($server, $insert);
	$server->wait_for_catchup('standby', 'replay', $server->lsn('insert'));
	crash($server);
	$clock->set($clock->offset_s + 2);
	$standby->promote;
	is_unknown($standby, 1, 'after a promotion, whatever was asked before');
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
	is_error($server, 'postgres', 'SELECT sno_resolved(sno_min(), false)', '53200', qr/no shared memory is left.*shared_preload_libraries/s,
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
	my ($name, $script) = @_;
	my $file = ids_file("load_$name") . '.sql';

	set_file($file, "SET client_min_messages = error;\n$script");
	return IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $server->connstr('postgres') . " options='-c sno.wait_timeout=0 -c statement_timeout=0'", '-f', $file ],
		'<', '/dev/null', '>', '/dev/null', '2>>', ids_file("load_$name") . '.errors');
}

my $number = 0;

sub start_writer
{
	my $gid = 'load' . $number++;

	return start_psql('writer', join('', map { transaction($gid) } 1 .. TRANSACTIONS) . last_transaction("open$number"));
}

# The readers: recipe, how many programs share the cursor, order, and at how many rows
# one that reads at once goes on in order
my %readers = (
	one => [ 'in order', 2, 'ids' ],
	two => [ 'both', 2, 'planes' ],
	soon => [ 'at once', 1 ],
	few => [ 'at once', 2, undef, 20 ],
	soon_of_two => [ 'both, at once', 2 ]);

sub poll_of
{
	my ($reader) = @_;
	my ($recipe, undef, undef, $limit) = @{ $readers{$reader} };

	return poll($recipe, $reader, $limit);
}

# One that follows the last id, and misses rows
my $last_poll = <<'EOF';
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO got (reader, id) SELECT 'last', id FROM event WHERE id > (SELECT upto FROM reader WHERE name = 'last');
UPDATE reader SET upto = coalesce((SELECT max(id) FROM event WHERE id > upto), upto) WHERE name = 'last';
COMMIT;
EOF

# Those that can read with this setting
sub names_of
{
	my ($tick_tock) = @_;

	return grep { $tick_tock eq 'off' || $readers{$_}[0] =~ /both/ } sort keys %readers;
}

sub start_readers
{
	my ($tick_tock) = @_;

	return start_psql('reader_last', polls(20_000, 0.005, $last_poll)),
	  map { my $reader = $_; map { start_psql("reader_$reader", polls(20_000, 0.01, poll_of($reader))) } 1 .. $readers{$reader}[1] } names_of($tick_tock);
}

# Those that are left open; of older ones, which keep all readers waiting, some
my @older;

sub finish_prepared
{
	my @open = split /\n/, query($server, "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'open%'");

	foreach my $gid (@older ? splice(@older, 0, 2) : @open)
	{
		query($server, (rand(2) < 1 ? 'COMMIT' : 'ROLLBACK') . " PREPARED '$gid'");
	}
	return;
}

# By so many seconds, or by chance; one hour back after an id that is two ahead
sub step_clock
{
	my $step_s = $_[0] // (-0.03, -0.03, -1, 1, -3600)[ rand 5 ];

	$clock->set($clock->offset_s + 7200) if $step_s == -3600;
	query($server, 'SELECT sno_generate()') if $step_s == -3600;
	$clock->set($clock->offset_s + $step_s);
	return;
}

# The server has crashed: it starts again with this setting, or its standby takes over
sub go_on
{
	my ($tick_tock) = @_;

	if (defined $tick_tock)
	{
		write_settings($server, preload(max_prepared_transactions => 40, 'sno.tick_tock' => $tick_tock));
		$clock->run(sub { $server->start });
		return;
	}
	$server = $standby;
	$server->promote;
	return;
}

my $standbys = 0;

sub add_standby
{
	$standby = PostgreSQL::Test::Cluster->new('standby' . ++$standbys);
	$server->backup($standby->name);
	$standby->init_from_backup($server, $standby->name, has_streaming => 1);
	$clock->run(sub { $standby->start });
	return;
}

sub test_load
{
	my ($rows, $crashes, $start_s, $tick_tock) = (0, 0, time);
	my @phases = ('off', 'on', undef, 'off') x ($ENV{ROWS} ? 5 : 1);

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
	new_readers($server, 'in order' => [qw(one soon few last)], both => [qw(two soon_of_two)]);
	$server->stop;
	foreach my $phase (@phases)
	{
		my $until_rows = $rows + ROWS / @phases;
		my $attempts = 1000;
		my ($first, $names, @writers, @reading);

		go_on($phase);
		$tick_tock = $phase // $tick_tock;
		add_standby() if $tick_tock eq 'on' && defined $phase;
		@older = split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts ORDER BY prepared');
		is_unknown($server, scalar @older, "after crash $crashes") if @older;
		is_error($server, 'postgres', 'SELECT sno_resolved()', '55000', qr/of both planes together.*HINT:  Set sno.tick_tock = off.*second argument/s,
			'with sno.tick_tock = on there is no bound of both planes') if $tick_tock eq 'on';
		$first = query($server, 'SELECT coalesce(max(n), 0) FROM got');
		$names = join ', ', map { "'$_'" } names_of($tick_tock);
		@reading = start_readers($tick_tock);
		step_clock(-3600);
		# Until there are enough rows, and all readers have had some of them
		while ($rows < $until_rows || $names ne query($server, "SELECT string_agg(DISTINCT quote_literal(reader), ', ') FROM got WHERE n > $first AND reader IN ($names)"))
		{
			die 'not all readers read' if $attempts-- == 0;
			@writers = grep { my $runs = $_->pumpable; $_->finish if !$runs; $runs } @writers;
			push @writers, start_writer() while @writers < WRITERS;
			usleep(100_000);
			step_clock() if rand(4) < 1;
			finish_prepared() if @older || rand(2) < 1;
			$rows = query($server, 'SELECT count(*) FROM event');
		}
		# Prepared transactions stay open over it
		crash($server);
		$_->finish foreach @writers, @reading;
		$crashes++;
	}
	go_on('off');
	query($server, "ROLLBACK PREPARED '$_'") foreach split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts');
	note sprintf('%d rows, %d writers, %d crashes, %d s; %s', $rows, $number, $crashes, time - $start_s,
		query($server, "SELECT 'in each plane: ' || string_agg(n::text, ', ') FROM (SELECT count(*) AS n FROM event GROUP BY sno_tick_tock(id)) AS c"));
	is(query($server, 'SELECT count(DISTINCT sno_tick_tock(id)) FROM event'), '2', 'there are rows of both planes');

	foreach my $reader (sort keys %readers)
	{
		note query($server, "SELECT count(*) || ' rows were read before the end' FROM got WHERE reader = '$reader'");
		# A poll of one that has reached its limit only makes room
		read_all($server, (poll_of($reader)) x 2);
		is_read_once($server, $reader, $reader, $readers{$reader}[2]);
		unlike(slurp_file(ids_file("load_reader_$reader") . '.errors'), qr/cursor is ahead|deadlock/, "$reader: no cursor was ahead, and none waited for another");
	}
	read_all($server, $last_poll);
	cmp_ok(query($server, "SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM got WHERE reader = 'last' AND got.id = event.id)"), '>', 0, 'above the last id, rows are missed');
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
test_restart();
test_all_prepared();
test_ends('with prepared transactions');
test_standby();

test_no_memory();
$clock->run(sub { configure($server, preload(max_connections => SESSIONS)) });
test_open_transaction('preloaded');
test_no_place('55000', qr/prepared transactions are disabled/, 'where no transaction can be prepared');
test_ends('without');
test_load();

done_testing();

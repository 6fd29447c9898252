# readers_load.pl
#	Who reads as doc/reading-new-rows.md says reads each row once and misses none, in
#	order or at once, with one cursor or with two: whatever transactions, the clock and
#	crashes do, with sno.tick_tock off, on, after a promotion, and off again.  Who reads
#	what is above the last id misses rows.
#
# MINUTES=n makes n times as many rows.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(usleep);

use SnoLoad;
use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Utils;

use constant {
	ROWS => 30_000 * ($ENV{MINUTES} || 1),
	WRITERS => 6,
	TRANSACTIONS => 40,			# of a writer, before another takes its place
};

# Recipe, how many programs share the cursor, order
my %readers = (
	one => [ 'in order', 2, 'ids' ],
	two => [ 'both', 2, 'planes' ],
	soon => [ 'at once', 2 ]);

# One that follows the last id
my $last_poll = <<'EOF';
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO got (reader, id) SELECT 'last', id FROM event WHERE id > (SELECT upto FROM reader WHERE name = 'last');
UPDATE reader SET upto = coalesce((SELECT max(id) FROM event WHERE id > upto), upto) WHERE name = 'last';
COMMIT;
EOF
my $clock = new_clock('readers');
my ($server, $standby, @older);
my ($rows, $writers_begun, $crashes) = (0, 0, 0);

sub pause { return pick('', '', map { "\\! sleep 0.00$_\n" } 1 .. 9) }
sub rows { return 'INSERT INTO event SELECT FROM generate_series(1, ' . int(1 + rand(ROWS / 600)) . ");\n" }

# A transaction of one of the kinds that there are
sub transaction
{
	my ($gid) = @_;
	my $end = pick(qw(COMMIT COMMIT COMMIT ROLLBACK));

	return pick(
		rows(),
		"BEGIN;\n" . rows() . pause() . rows() . pause() . "$end;\n",
		"BEGIN;\n" . rows() . "SAVEPOINT s;\n" . rows() . pause() . "ROLLBACK TO s;\n" . rows() . "$end;\n",
		"DO \$\$ BEGIN " . rows() . "COMMIT; " . rows() . "END \$\$;\n",
		"BEGIN;\n" . rows() . pause() . "PREPARE TRANSACTION '$gid';\n" . pause() . "$end PREPARED '$gid';\n");
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

# In the end, a transaction of a writer stays open, or its session dies
sub start_writer
{
	my $gid = 'load' . ++$writers_begun;

	return start_psql('writer', join('', map { transaction($gid) } 1 .. TRANSACTIONS) . "BEGIN;\n" . rows()
		  . pick("PREPARE TRANSACTION 'open$writers_begun';\n", "SELECT pg_terminate_backend(pg_backend_pid());\n"));
}

# Those that can read with this setting
sub readers_of
{
	my ($tick_tock) = @_;

	return grep { $tick_tock eq 'off' || $readers{$_}[0] =~ /both/ } sort keys %readers;
}

sub start_readers
{
	my ($tick_tock) = @_;

	return start_psql('reader_last', polls(20_000, 0.005, $last_poll)),
	  map { my $reader = $_; map { start_psql("reader_$reader", polls(20_000, 0.01, poll($readers{$reader}[0], $reader))) } 1 .. $readers{$reader}[1] } readers_of($tick_tock);
}

# Those that are left open; of older ones, which keep all readers waiting, some
sub finish_prepared
{
	my @open = split /\n/, query($server, "SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'open%'");

	query($server, pick(qw(COMMIT ROLLBACK)) . " PREPARED '$_'") foreach @older ? splice(@older, 0, 2) : @open;
	return;
}

# One hour back after an id that is two ahead, or a little
sub step_clock
{
	my ($step_s) = @_;

	$clock->set($clock->offset_s + 7200) if $step_s == -3600;
	query($server, 'SELECT sno_generate()') if $step_s == -3600;
	return $clock->set($clock->offset_s + $step_s);
}

# The server has crashed: it starts again with this setting, or its standby takes over
sub go_on
{
	my ($tick_tock) = @_;

	if (!defined $tick_tock)
	{
		$server = $standby;
		return $server->promote;
	}
	write_settings($server, preload(max_prepared_transactions => 40, 'sno.tick_tock' => $tick_tock));
	return $clock->run(sub { $server->start });
}

# A phase ends in a crash, over which prepared transactions stay open
sub live_through
{
	my ($tick_tock) = @_;
	my $until_rows = $rows + ROWS / 4;
	my $attempts = 1000;
	my ($first, $names, @writers, @reading);

	@older = split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts ORDER BY prepared');
	is((error_of($server, 'postgres', 'SELECT sno_resolved(tick_tock => false)'))[0], '55000', "after crash $crashes: readers wait for older prepared transactions") if @older;
	is_error($server, 'postgres', 'SELECT sno_resolved()', '55000', qr/of both planes together.*HINT:  Preload sno and set sno.tick_tock = off.*second argument/s,
		'with sno.tick_tock = on there is no bound of both planes') if $tick_tock eq 'on';
	$first = query($server, 'SELECT coalesce(max(n), 0) FROM got');
	$names = join ', ', map { "'$_'" } readers_of($tick_tock);
	@reading = start_readers($tick_tock);
	step_clock(-3600);
	# Until there are enough rows, and all readers have had some of them
	while ($rows < $until_rows || $names ne query($server, "SELECT string_agg(DISTINCT quote_literal(reader), ', ') FROM got WHERE n > $first AND reader IN ($names)"))
	{
		die 'not all readers read' if $attempts-- == 0;
		@writers = grep { my $runs = $_->pumpable; $_->finish if !$runs; $runs } @writers;
		push @writers, start_writer() while @writers < WRITERS;
		usleep(100_000);
		step_clock(pick(-0.03, -0.03, -1, 1, -3600)) if rand(4) < 1;
		finish_prepared() if @older || rand(2) < 1;
		$rows = query($server, 'SELECT count(*) FROM event');
	}
	crash($server);
	$_->finish foreach @writers, @reading;
	return $crashes++;
}

seed_random();
$clock->set(-43200);
$server = new_server('readers', clock => $clock, init => { allows_streaming => 1 });
query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');
new_readers($server, 'in order' => [qw(one soon last)], both => ['two']);
$server->stop;
foreach my $phase ('off', 'on', undef, 'off')
{
	go_on($phase);
	$standby = new_standby($server, 'standby', $clock) if ($phase // '') eq 'on';
	live_through($phase // 'on');
}
go_on('off');
query($server, "ROLLBACK PREPARED '$_'") foreach split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts');
note "$rows rows, $writers_begun writers";
is(query($server, 'SELECT count(DISTINCT sno_tick_tock(id)) FROM event'), '2', 'there are rows of both planes');
unlike(slurp_file(ids_file('load_writer.errors')), qr/duplicate key/, 'no id is made twice');
foreach my $reader (sort keys %readers)
{
	my ($recipe, undef, $order) = @{ $readers{$reader} };

	read_all($server, (poll($recipe, $reader)) x 2);
	is_read_once($server, $reader, $reader, $order);
	unlike(slurp_file(ids_file("load_reader_$reader") . '.errors'), qr/cursor is ahead|deadlock/, "$reader: no cursor was ahead, and none waited for another");
}
read_all($server, $last_poll);
cmp_ok(query($server, "SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM got WHERE reader = 'last' AND got.id = event.id)"), '>', 0, 'above the last id, rows are missed');

done_testing();

# readers_load.pl
#	Who reads an event store (doc/event-store.md) as doc/reading-new-rows.md says misses
#	no row, whatever transactions, another database, the clock, crashes and a promotion
#	do, and although readers are killed.  In a transaction each row is read once, in the
#	order that the page says, also by a group of programs that come and go.  Who reads what
#	is above the last id misses rows.  MINUTES=n makes n times as many rows.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(usleep);

use SnoLoad;
use SnoTest;
use SnoTrouble;

use constant {
	ROWS => 30_000 * ($ENV{MINUTES} || 1),
	WRITERS => 6,
	STREAMS => 500,
};

# The poll, how many programs share the cursor, and the order of what they read once
my %readers = (
	one => [ poll('In order', 'one'), 2, 'true' ],
	soon => [ poll('At once', 'soon'), 2, 'stream, sno_tick_tock(id)' ],
	group => [ group_poll('group'), 3, 'stream, sno_tick_tock(id)' ],
	balance => [ "CALL project_balance();\n", 2, 'stream, sno_tick_tock(id)' ],
	lax => [ poll('In order', 'lax') =~ s/^(BEGIN|COMMIT);\n//mgr, 2 ],
	hasty => [ poll('At once', 'hasty', 50) =~ s/^(BEGIN|COMMIT);\n//mgr, 3 ],
	last => [ <<'EOF', 1 ]);
BEGIN ISOLATION LEVEL REPEATABLE READ;
INSERT INTO got (reader, id) SELECT 'last', id FROM event WHERE id > (SELECT upto FROM reader WHERE name = 'last');
UPDATE reader SET upto = coalesce((SELECT max(id) FROM event WHERE id > upto), upto) WHERE name = 'last';
COMMIT;
EOF
my $clock = new_clock('readers');
my ($server, $standby, @older);
my ($rows, $writers_begun, $went_back) = (0) x 3;

# Of one stream, as doc/event-store.md appends them
sub rows
{
	my ($stream) = @_;
	my $count = int(1 + rand(ROWS / 600));

	return "SELECT append('stream $stream', NULL, 'kind', '{}') FROM generate_series(1, $count);\n";
}

sub start_psql
{
	my ($name, $script, $database) = @_;
	my $file = ids_file("load_$name") . '.sql';

	set_file($file, "SET client_min_messages = error;\n$script");
	return IPC::Run::start(
		[ 'psql', '-XAtq', '-f', $file, '-d', $server->connstr($database // 'postgres')
			. " application_name=$name options='-c sno.wait_timeout=0 -c statement_timeout=0'" ],
		'<', '/dev/null', '>', '/dev/null', '2>>', ids_file("load_$name") . '.errors');
}

# In the end, a transaction of a writer stays open, or its session dies
sub start_writer
{
	my $gid = 'load' . ++$writers_begun;
	my @ends = ("PREPARE TRANSACTION 'open$writers_begun';\n", "SELECT pg_terminate_backend(pg_backend_pid());\n");
	my @transactions = map { transaction($gid, map { rows($_) } (int(rand(STREAMS))) x 3) } 1 .. 40;

	return start_psql('writer', join '', @transactions, "BEGIN;\n", rows(STREAMS + $writers_begun), pick(@ends));
}

sub start_reader
{
	my ($reader) = @_;

	return start_psql("reader_$reader", polls(20_000, 0.01, $readers{$reader}[0]));
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

	if ($step_s == -3600)
	{
		$clock->move(7200);
		query($server, 'SELECT sno_generate()');
	}
	$clock->move($step_s);
	if ($step_s == -3600)
	{
		query($server, 'SELECT sno_generate()');
		go_back();
	}
	return;
}

# After a change of the plane, readers are told from where on to read again; they forget
# what they have read since.  Those in autocommit are stopped first.
sub go_back
{
	query($server, q(SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
		WHERE application_name IN ('reader_lax', 'reader_hasty')));
	foreach my $name (split /\n/, query($server, q(SELECT name FROM reader WHERE name <> 'last')))
	{
		my $resolved = "SELECT sno_resolved(upto) FROM reader WHERE name = '$name'";
		my ($sqlstate, $said) = error_of($server, 'postgres', $resolved);
		my ($from) = $said =~ /new snos sort before the cursor.*?after "(\w{16})"/s;
		my $of = $name =~ /(\d+)/ ? "'group' AND sno_meta(id) = $1" : "'$name'";

		next if $sqlstate eq '';
		die $said if !defined $from;
		$went_back++;
		# The cursor first: that waits for a poll that had begun before
		query($server, 'BEGIN;' . page_sql('UPDATE reader SET since = least(') =~ s/'9\w+'/'$from'/gr =~ s/'mailer'/'$name'/r
			. "DELETE FROM got WHERE id > '$from' AND reader = $of; COMMIT");
	}
	return;
}

# A phase ends in a crash, over which prepared transactions stay open
sub live_through
{
	my $until_rows = $rows + ROWS / 4;
	my $attempts = 1000;
	my $readers = 'count(DISTINCT reader) FROM got WHERE n > ' . query($server, 'SELECT coalesce(max(n), 0) FROM got');
	my (@writers, @reading);

	@older = split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts ORDER BY prepared');
	@reading = map { ($_) x $readers{$_}[1] } sort keys %readers;
	@reading = map { [ $_, start_reader($_) ] } @reading;
	@writers = start_psql('elsewhere', <<'EOF' x 10_000, 'other');
BEGIN;
SELECT count(sno_generate()) FROM generate_series(1, 100);
\! sleep 0.5
COMMIT;
EOF
	step_clock(-3600);
	# Until there are enough rows, and all readers have had some of them
	while ($rows < $until_rows || query($server, "SELECT $readers") < keys %readers)
	{
		die 'not all readers read' if $attempts-- == 0;
		@writers = grep { my $runs = $_->pumpable; $_->finish if !$runs; $runs } @writers;
		push @writers, start_writer() while @writers < WRITERS;
		usleep(100_000);
		step_clock(pick(-0.03, -0.03, -1, 1, -3600)) if rand(4) < 1;
		finish_prepared() if @older || rand(2) < 1;
		query($server, q(SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE application_name LIKE 'reader\_%' AND random() < 0.1));
		foreach my $session (grep { !$_->[1]->pumpable } @reading)
		{
			$session->[1]->finish;
			$session->[1] = start_reader($session->[0]);
		}
		$rows = query($server, 'SELECT count(*) FROM event');
	}
	$server->stop('immediate');
	$_->finish foreach @writers, map { $_->[1] } @reading;
	return;
}

seed_random();
$clock->set(-43200);
$server = new_server('readers', clock => $clock, init => { allows_streaming => 1 },
	settings => preload(max_prepared_transactions => 40, 'sno.max_lead' => '10s'));
query($server, page_block('doc/event-store.md', 'CREATE EXTENSION sno;') =~ s/^CREATE EXTENSION.*//r);
query($server, 'CREATE DATABASE other');
$server->safe_psql('other', 'CREATE EXTENSION sno');
new_readers($server, keys %readers);
query($server, page_sql('CREATE INDEX ON event (sno_meta(id), id);'));
query($server, page_block('doc/event-store.md', 'CREATE TABLE reader (')
	  =~ s/.*(?=^CREATE PROCEDURE)//smr =~ s/^CALL.*//smr
	  =~ s/INSERT INTO balance [^;]*/INSERT INTO got (reader, id) VALUES ('balance', e.id)/r);
# Rows that were read beside an open transaction; the next poll finds none, but its bound
{
	my $open = $server->background_psql('postgres');
	my @polls = ($readers{soon}[0], $readers{balance}[0], ($readers{group}[0]) x 17);

	$open->query_safe('BEGIN; ' . rows(0));
	query($server, rows($_)) foreach 1 .. 9;
	read_all($server, @polls);
	$open->query_safe('ROLLBACK');
	$open->quit;
	read_all($server, @polls);
	step_clock(-3600);
}
live_through();
$clock->run(sub { $server->start });
$standby = new_standby($server, 'standby', $clock);
live_through();
$server = $standby;
$server->promote;
live_through();
write_settings($server, preload(max_prepared_transactions => 40));
$clock->run(sub { $server->start });
live_through();
$clock->run(sub { $server->start });
query($server, "ROLLBACK PREPARED '$_'") foreach split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts');
note "$rows rows, $writers_begun writers, $went_back went back";
go_back();
cmp_ok($went_back, '>', 0, 'planes have changed');
is(query($server, 'SELECT count(*) FROM stream WHERE version <> (SELECT count(*) FROM event WHERE stream = name)'), '0',
	'a stream has as many events as its version says');
unlike(slurp_file(ids_file('load_writer.errors')), qr/duplicate key/, 'no id is made twice');
foreach my $reader (sort grep { $_ ne 'last' } keys %readers)
{
	my ($poll, undef, $order) = @{ $readers{$reader} };

	# There are 16 buckets
	read_rest($server, $poll =~ s{LIMIT 50\b}{LIMIT 1000}r, 17);
	misses_none($server, $reader, $reader, $order);
	unlike(slurp_file(ids_file("load_reader_$reader") . '.errors'), qr/cursor is ahead|deadlock/,
		"$reader: no cursor was ahead, and none waited for another");
}
read_all($server, $readers{last}[0]);
cmp_ok(query($server, "SELECT count(*) FROM event WHERE id NOT IN (SELECT id FROM got WHERE reader = 'last')"), '>', 0,
	'above the last id, rows are missed');

done_testing();

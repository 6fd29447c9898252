# clock.pl
#	The time of an id is that of the call which made it; a clock that is out of
#	range is refused.  Steps of the clock while eight sessions make ids in all
#	ways: no id is duplicated, no call waits for the clock, ids go on in order unless
#	the clock steps back by more than sno.max_lead, and the log tells of large steps.
#
# The steps lead into moments at which ids were made, so that a server that did
# not change its plane would make them again.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time);

use SnoLoad;
use SnoTest;
use SnoTrouble;

my $clock = new_clock('server');
my $server;

# What the log says when the clock is behind, and the plane changes, or the own clock
# leads
my $behind = qr/clock is \d+ ms behind/;
my $ahead = qr/new snos are \d+ ms ahead/;

# Changes of the plane, leads, waits for the disk, and the log's lines about either of
# the first
sub events
{
	return split(/\|/, query($server, 'SELECT step_backs, leads, reservation_waits FROM sno_stat()')),
	  log_lines($server, $behind), log_lines($server, $ahead);
}

# step_to(NAME, TIME, TICK_TOCK, [CHANGES]): the clock shows this time, and ids go
# on, at the clock's time, in the plane of this tick-tock bit; with that
# number of changes of the plane, and as many lines in the log
sub step_to
{
	my ($name, $to_s, $tick_tock, $changes) = @_;
	my ($step_backs, $lines) = (events())[ 0, 3 ];

	$clock->set_to($to_s);
	wait_for_ids($server);
	is(query($server, <<'EOF'), "$tick_tock|t", "$name: ids have the clock's time, with tick-tock bit '$tick_tock'");
WITH made AS MATERIALIZED (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop)
SELECT sno_tick_tock(id), sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop FROM made
EOF
	is_deeply([ (events())[ 0, 3 ] ], [ $step_backs + $changes, $lines + $changes ],
		"$name: $changes changes of the plane, as many lines in the log")
	  if defined $changes;
	return;
}

# What the error of a cursor names
sub error_detail_id
{
	my ($cursor) = @_;

	return ((error_of($server, 'postgres', "SELECT sno_resolved('$cursor')"))[1] =~ /after "(\w{16})"/)[0];
}

{
	my @files = load_files('ids');
	my ($past_s, @sessions, @before, @after);

	$clock->set(-3600);
	$server = new_server('load', clock => $clock, settings => preload('sno.max_lead' => '10s'));
	$past_s = $clock->now_s;
	@sessions = start_load($server, @files);
	wait_for_ids($server);
	step_to('an hour ahead', time, 'f', 0);
	step_to('an hour back', $past_s, 't', 1);

	# Before what both planes were used at
	@before = events();
	$clock->set_to($past_s - 60);
	wait_for_ids($server);
	@after = events();
	is($after[0], $before[0], 'a second step into the same past: the plane stays');
	cmp_ok($after[1], '>', $before[1], 'a second step into the same past: ids go ahead of the clock');
	cmp_ok($after[4], '>', $before[4], 'the log says that ids are ahead of the clock');
	is(query($server, "SELECT $_ FROM sno_stat()"), 't', "ids are ahead by as much as is needed: $_")
	  foreach q(sno_timestamp(sno_generate()) > clock_timestamp() + interval '50 s'), 'lead > 50000';
	step_to('the clock is right again', time, 't');
	is(query($server, 'SELECT lead FROM sno_stat()'), '0', 'with the right clock, ids are not ahead');

	step_to('an hour ahead', time + 3600, 't', 0);
	step_to('an hour ahead, then corrected', time, 'f', 1);

	stop_load($server, @sessions);
	no_duplicates('no id is duplicated, whatever steps the clock takes', @files);
	unlink @files;
}

is(query($server, <<'EOF'), 't|t', 'each id of a long statement has the time at which it was made');
SELECT bool_and(sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop), max(stop) - min(start) > interval '100 ms'
FROM (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop,
		CASE WHEN n % 100 = 0 THEN pg_sleep(0.01) END
	FROM generate_series(1, 2000) AS n OFFSET 0) AS made
EOF

# Out of what a sno can hold
{
	my $stat = 'SELECT plane, slots_claimed, step_backs FROM sno_stat()';
	my $before = query($server, $stat);

	foreach my $years (70, -30)
	{
		$clock->set($years * 365.25 * 86400);
		is_error($server, 'postgres', "SELECT $_", '55000', qr/the server's clock is out of range for type sno/,
			"a clock that is $years years off is no clock for $_")
		  foreach 'sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)', 'sno_resolved(tick_tock => false)';
	}
	$clock->set(0);
	is(query($server, $stat), $before, 'a clock out of range changes nothing');
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'with a right clock again, ids go on as before');
	$server->stop;
}

# highest(): the highest id so far, of a table whose ids are in the order in which they
# were made, which is tested; and its plane
sub highest
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is(query($server,
		'SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM ordered) AS s WHERE id <= last'),
		'0', "$name: ids are in order")
	  if defined $name;
	return split /\|/, query($server, 'SELECT max(id), max(sno_tick_tock(id)::int) FROM ordered');
}

# By default, whatever steps of up to a day the clock takes: none is waited for, and
# nothing is out of order, over restarts and crashes
{
	my ($id, $plane, $cursor);
	my $insert = 'INSERT INTO ordered SELECT FROM generate_series(1, 10)';

	seed_random();
	$clock->set(0);
	$server = new_server('ordered', clock => $clock);
	query($server,
		'CREATE TABLE ordered (n bigint GENERATED ALWAYS AS IDENTITY, id sno PRIMARY KEY DEFAULT sno_generate())');
	foreach my $round (1 .. 40)
	{
		my $offset_s = pick(0, rand(86400));
		my $began_s = time;

		# Never more than a day below the furthest
		$clock->set($offset_s);
		crash_and_start($server, $clock) if $round % 10 == 0;
		query($server, $insert);
		$clock->set($offset_s - pick(0.01, 0.1, 1, 3, 60, 3600) * rand()) if $round % 3 == 0;
		query($server, $insert);
		cmp_ok(time - $began_s, '<', 30, 'no call waits') if $round % 10 == 0;
	}
	($id, $plane) = highest('clock steps of 10 ms to a day, crashes in between');
	is($plane, '0', 'in one plane');
	cmp_ok(log_lines($server, $ahead), '>', 0, 'the log tells of it');

	# Three days: the plane changes, once, and a restart stays there
	$clock->set(3 * 86400);
	query($server, $insert);
	$cursor = query($server, 'SELECT sno_resolved()');
	$clock->set(0);
	query($server, "TRUNCATE ordered; $insert");
	is((highest('three days back'))[1], '1', 'ids go on in the other plane');
	is_error($server, 'postgres', "SELECT sno_resolved('$cursor')", '55000',
		qr/new snos sort before the cursor.*HINT:  Set the cursor back/s,
		'a change of the plane: a reader is told');
	cmp_ok(query($server, 'SELECT min(id) FROM ordered'), 'gt', error_detail_id($cursor),
		'a reader is told from where on to read again');
	$clock->run(sub { $server->restart });
	query($server, $insert);
	is((highest('after a restart'))[1], '1', 'after a restart, ids stay in the other plane');
	is_error($server, 'postgres', "SELECT sno_resolved('$cursor')", '55000', qr/new snos sort before the cursor/,
		'after a restart, a reader is told, too');
	is(query($server, "SELECT min(id) > '" . error_detail_id($cursor) . "'::sno FROM ordered"), 't',
		'after a restart, a reader is told from where on');

	$server->stop;
}

# To give up a lead
{
	$clock->set(7200);
	$server = new_server('given_up', clock => $clock);
	query($server, 'SELECT sno_generate()');
	$clock->set(0);
	is(query($server, "SELECT $_ FROM sno_stat()"), 't', "ids are ahead: $_")
	  foreach q(sno_timestamp(sno_generate()) > now() + interval '1 h'), 'lead > 3600000', 'plane = 0';
	write_settings($server, preload('sno.max_lead' => '10s'));
	$clock->run(sub { $server->restart });
	is(query($server, "SELECT $_ FROM sno_stat()"), 't', "until a restart with a lower limit: $_")
	  foreach q(sno_timestamp(sno_generate()) < now() + interval '1 s'), 'lead = 0', 'plane = 1';
	$server->stop;
}

done_testing();

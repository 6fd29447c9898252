# clock.pl
#	The time of an id is that of the call which made it; a clock that is out of range is
#	refused.  If the clock steps back, no call waits for it: ids go on in order, or, if it
#	is more than sno.max_lead behind, in the other plane, and the log tells of either.
#	servers.pl shows that none is duplicated.
#
# The steps lead into moments at which ids were made, so that a server that did
# not change its plane would make them again.
use strict;
use warnings FATAL => 'all';

use SnoTest;
use SnoTrouble;

my $clock = new_clock('server');
my $server = new_server('steps', clock => $clock, settings => preload('sno.max_lead' => '10s'));

# is_true(NAME, EXPRESSION, ...): what sno_stat says, one by one
sub is_true
{
	my ($name, @expressions) = @_;

	is(query($server, "SELECT $_ FROM sno_stat()"), 't', "$name: $_") foreach @expressions;
	return;
}

# step_to(NAME, TIME, TICK_TOCK, CHANGES): the clock shows this time, and ids go on, at the
# clock's time, in the plane of this tick-tock bit, with that number of changes of the
# plane, and as many lines in the log
sub step_to
{
	my ($name, $to_s, $tick_tock, $changes) = @_;
	my $found = sub {
		return query($server, 'SELECT step_backs FROM sno_stat()'), log_lines($server, qr/clock is \d+ ms behind/);
	};
	my @before = $found->();

	$clock->set_to($to_s);
	is(query($server, <<'EOF'), "$tick_tock|t", "$name: ids have the time of their calls, in plane '$tick_tock'");
SELECT DISTINCT sno_tick_tock(id), sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop
FROM (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop, pg_sleep(0.005)
	FROM generate_series(1, 20) OFFSET 0) AS made
EOF
	is_deeply([ $found->() ], [ map { $_ + $changes } @before ],
		"$name: $changes changes of the plane, as many lines in the log");
	return;
}

{
	my $past_s = $clock->now_s;

	step_to('at first', $past_s, 'f', 0);
	step_to('an hour ahead', $past_s + 3600, 'f', 0);
	step_to('an hour back', $past_s, 't', 1);

	# Before what both planes were used at
	$clock->set_to($past_s - 60);
	is_true('a second step into the same past', 'step_backs = 1',
		q(sno_timestamp(sno_generate()) > clock_timestamp() + interval '50 s'), 'leads > 0', 'lead > 50000');
	cmp_ok(log_lines($server, qr/new snos are \d+ ms ahead/), '>', 0, 'the log says that ids are ahead of the clock');
	step_to('the clock is right again', $past_s + 3600, 't', 0);
	is_true('with the right clock', 'lead = 0');
	step_to('an hour ahead', $past_s + 7200, 't', 0);
	step_to('an hour ahead, then corrected', $past_s + 3700, 'f', 1);
}

# Out of what a sno can hold
{
	my @calls = ('sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)', 'sno_resolved(tick_tock => false)');
	my $before = query($server, 'SELECT plane, slots_claimed, step_backs FROM sno_stat()');

	foreach my $years (70, -30)
	{
		$clock->set($years * 365.25 * 86400);
		is_error($server, 'postgres', "SELECT $_", '55000', qr/the server's clock is out of range for type sno/,
			"a clock that is $years years off is no clock for $_") foreach @calls;
	}
	$clock->set(3800);
	is(query($server, 'SELECT plane, slots_claimed, step_backs FROM sno_stat()'), $before,
		'a clock out of range changes nothing');
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'with a right clock again, ids go on as before');
	$server->stop;
}

# plane_of_ordered(NAME): tests that the ids of a table are in the order in which they were
# made; the plane of the last one
sub plane_of_ordered
{
	my ($name) = @_;

	is(query($server, <<'EOF'), '0', "$name: ids are in order");
SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS last FROM ordered) AS s WHERE id <= last
EOF
	return query($server, 'SELECT plane FROM sno_stat()');
}

# By default, whatever steps of up to a day the clock takes: none is waited for, and
# nothing is out of order, over crashes
{
	my $insert = 'INSERT INTO ordered SELECT FROM generate_series(1, 10)';

	$clock->set(0);
	$server = new_server('ordered', clock => $clock);
	query($server,
		'CREATE TABLE ordered (n bigint GENERATED ALWAYS AS IDENTITY, id sno PRIMARY KEY DEFAULT sno_generate())');
	foreach my $offset_s (0, -0.01, -1, 60, 3, 86_000, 60)
	{
		$clock->set($offset_s);
		query($server, $insert);
		crash_and_start($server, $clock);
		query($server, $insert);
	}
	is(plane_of_ordered('steps of 10 ms to a day, and crashes'), 0, 'steps of 10 ms to a day: in one plane');

	# Three days: the plane changes, once, and a restart stays there
	$clock->set(3 * 86400);
	query($server, $insert);
	$clock->set(0);
	query($server, "TRUNCATE ordered; $insert");
	is(plane_of_ordered('three days back'), 1, 'ids go on in the other plane');
	$clock->run(sub { $server->restart });
	query($server, $insert);
	is(plane_of_ordered('after a restart'), 1, 'after a restart, ids stay in the other plane');

	# To give up a lead
	$clock->set(4 * 86400);
	query($server, $insert);
	$clock->set(4 * 86400 - 7200);
	query($server, $insert);
	is_true('two hours back', q(sno_timestamp(sno_generate()) > now() + interval '1 h'), 'lead > 3600000', 'plane = 1');
	write_settings($server, preload('sno.max_lead' => '10s'));
	$clock->run(sub { $server->restart });
	is_true('after a restart with a lower limit',
		q(sno_timestamp(sno_generate()) < now() + interval '1 s'), 'lead = 0', 'plane = 0');
}

done_testing();

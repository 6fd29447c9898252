# clock.pl
#	The time of an id is that of the call which made it; a clock that is out of
#	range is refused.  Steps of the clock while eight sessions make ids in all
#	ways: no id is duplicated, no call waits for the clock, and the log tells of
#	large steps.
#
# The steps lead into moments at which ids were made, so that a server that did
# not change its plane would make them again.
use strict;
use warnings FATAL => 'all';

use Test::More;
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
	return split(/\|/, query($server, 'SELECT step_backs, slews, reservation_waits FROM sno_stat()')),
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

{
	my @files = load_files('ids');
	my ($past_s, @sessions, @before, @after);

	$clock->set(-3600);
	$server = new_server('load', clock => $clock);
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
	cmp_ok($after[1], '>', $before[1], 'and ids go ahead of the clock');
	cmp_ok($after[4], '>', $before[4], 'which is in the log');
	is(query($server, 'SELECT sno_timestamp(sno_generate()) > clock_timestamp() + interval $$50 s$$, lead > 50000 FROM sno_stat()'),
		't|t', 'by as much as is needed');
	step_to('the clock is right again', time, 't');
	is(query($server, 'SELECT lead FROM sno_stat()'), '0', 'and ids are not ahead any more');

	step_to('an hour ahead', time + 3600, 't', 0);
	step_to('and corrected', time, 'f', 1);

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
	is(query($server, $stat), $before, 'and changes nothing');
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'and ids go on as before');
	$server->stop;
}

# More than a day behind, without another plane
{
	$clock->set(0);
	$server = new_server('a_day', clock => $clock, settings => preload('sno.tick_tock' => 'off'));
	query($server, 'SELECT sno_generate()');
	$clock->set(-86000);
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'without tick-tock, a clock almost a day behind keeps the plane');
	$clock->set(-86900);
	is_error($server, 'postgres', 'SELECT sno_generate()', '55000', qr/more than a day behind.*DETAIL:  It is 86\d\d\d s behind.*sno.tick_tock = on/s,
		'one that is more than a day behind is an error that says so at once');
	$clock->run(sub { $server->restart });
	is_error($server, 'postgres', 'SELECT sno_generate()', '55000', qr/more than a day behind/, 'also after a restart');
	$clock->set(-86000);
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'until the clock is better');
	$server->stop;
}

done_testing();

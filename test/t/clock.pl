# clock.pl
#	The time of an id is that of the call which made it; a clock that is out of
#	range is refused; and whatever steps the clock takes, ids stay unique.
#
# What single steps do is to be seen in clock_load.pl.  SEED=n repeats the random
# ones of an earlier run.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time usleep);
use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use constant STEPS => 200;

my $seed = $ENV{SEED} // time % 1_000_000;
my $clock = SnoClock->new('server');
my $server = new_server('clock', clock => $clock);

is(query($server, <<'EOF'), 't|t', 'each id of a long statement has the time at which it was made');
SELECT bool_and(sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop), max(stop) - min(start) > interval '100 ms'
FROM (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop,
		CASE WHEN n % 100 = 0 THEN pg_sleep(0.01) END
	FROM generate_series(1, 2000) AS n OFFSET 0) AS made
EOF

# Out of what a sno can hold
{
	my $stat = 'SELECT plane, slots_claimed, leases, regressions FROM sno_stat';
	my $before = query($server, $stat);

	foreach my $years (70, -30)
	{
		$clock->set($years * 365.25 * 86400);
		is_error($server, 'postgres', "SELECT $_", '55000', qr/the server's clock is out of range for type sno/,
			"a clock that is $years years off is no clock for $_")
		  foreach 'sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)';
	}
	$clock->set(0);
	is(query($server, $stat), $before, 'and changes nothing');
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 'f', 'and ids go on as before');
}

# Back and forth, by up to 300 ms
{
	my @files = load_files('ids');
	my @sessions = start_load($server, @files);

	note "SEED=$seed";
	srand($seed);
	foreach (1 .. STEPS)
	{
		$clock->set(rand(0.6) - 3);
		usleep(rand(100_000));
	}
	stop_load($server, @sessions);
	cmp_ok(query($server, 'SELECT regressions FROM sno_stat'), '>', 1, 'the steps change the plane');
	no_duplicates('no id comes twice, whatever the clock does', @files);
	unlink @files;
}

done_testing();

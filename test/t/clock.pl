# clock.pl
#	The time of an id is that of the call which made it; a clock that is out of
#	range is refused.  What steps do is to be seen in clock_load.pl.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoTest;

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

done_testing();

# clock.pl
#	When the wall clock of a running server steps, ids stay unique, and are
#	made at the clock's time as soon as that is possible.
#
# SEED=n repeats the random steps of an earlier run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Time::HiRes qw(time usleep);
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoTest;

my $seed = $ENV{SEED} // time % 1_000_000;
my $clock = SnoClock->new('server');
my $server;

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

sub counts
{
	return query('SELECT regressions, regression_waits FROM sno_stat');
}

# An id, its plane, and whether its time is the clock's
sub generate
{
	return split /\|/, query(<<'EOF');
WITH made AS MATERIALIZED (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop)
SELECT id, sno_tick_tock(id), sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop FROM made
EOF
}

$server = new_server('clock', clock => $clock);

my ($first, $second, $id, $tick_tock, $on_time);

($first, $tick_tock, $on_time) = generate();
is("$tick_tock|$on_time", 'f|t', 'before any step, ids are in the first plane');

is(query(<<'EOF'), 't|t', 'each id of a long statement has the time at which it was made');
SELECT bool_and(sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop), max(stop) - min(start) > interval '100 ms'
FROM (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop,
		CASE WHEN n % 100 = 0 THEN pg_sleep(0.01) END
	FROM generate_series(1, 2000) AS n OFFSET 0) AS made
EOF

# A step into a past that no id was made in
$clock->set(-3600);
($id, $tick_tock, $on_time) = generate();
is("$tick_tock|$on_time", 't|t', 'after an hour back, ids have the new time, in the other plane');
is(counts(), '1|0', 'one regression, and nobody waited');
is(query("SELECT sno_timestamp('$first') - sno_timestamp('$id') BETWEEN interval '59 min' AND interval '1 h'"),
	't', 'it was an hour');

# A step further back: the first plane was used after that
$clock->set(-7200);
foreach my $timeout ('500ms', 0)
{
	my $start = time;
	my $ms = $timeout eq '0' ? 0 : 500;

	is_error($server, 'postgres', "SET sno.wait_timeout = '$timeout'; SELECT sno_generate()",
		'55P03',
		qr/could not generate a sno within sno.wait_timeout \($ms ms\).*clock ran backwards; generation can go on in 3[56]\d{5} ms/s,
		"another hour back is waited for, for sno.wait_timeout = $timeout");
	cmp_ok(time - $start, '>=', $ms / 1000, 'not for less');
	cmp_ok(time - $start, '<', 10, 'nor for long');
}
is_error($server, 'postgres', "SET statement_timeout = '200ms'; SELECT sno_generate()",
	'57014', qr/statement timeout/, 'statement_timeout ends the wait');
like(counts(), qr/^1\|[1-9]/, 'the waits are counted, and are no regression');

$clock->set(-3600);
($second, $tick_tock, $on_time) = generate();
is("$tick_tock|$on_time", 't|t', 'when the clock is back, ids go on at once');
cmp_ok($second, 'gt', $id, 'and ascend');

# Forward, and back to where both planes were used
$clock->set(0);
($id, $tick_tock, $on_time) = generate();
is("$tick_tock|$on_time", 't|t', 'a step forward leaves the plane');
$clock->set(-3600);
is_error($server, 'postgres', "SET sno.wait_timeout = '200ms'; SELECT sno_generate()",
	'55P03', qr/could not generate a sno/, 'a second step into the same past is waited for');
$clock->set(0);
is((generate())[1], 't', 'until the clock is corrected');

# Out of what a sno can hold
{
	my $stat = query('SELECT plane, slots_claimed, leases, regressions FROM sno_stat');

	foreach my $years (70, -30)
	{
		$clock->set($years * 365.25 * 86400);
		foreach my $call ('sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)')
		{
			is_error($server, 'postgres', "SELECT $call", '55000',
				qr/the server's clock is out of range for type sno/,
				"a clock that is $years years off is no clock for $call");
		}
	}
	$clock->set(0);
	is(query('SELECT plane, slots_claimed, leases, regressions FROM sno_stat'),
		$stat, 'and changes nothing');
	is((generate())[1], 't', 'and ids go on as before');
}

# Steps of 12 ms, three units, while ids are made
{
	query('SELECT sno_stat_reset()');
	my ($session) = start_sessions(
		{   server => $server,
			database => 'postgres',
			sql => "SELECT count(*) FROM (SELECT sno_generate_many(2000000000)) AS t;\n" });
	my $steps = 0;

	$server->poll_query_until('postgres', 'SELECT slots_claimed > 10000 FROM sno_stat')
	  or die 'no ids are made';

	# A step every 50 ms and more, until several were noticed
	while ($steps < 200 && query('SELECT regression_waits >= 10 FROM sno_stat') ne 't')
	{
		$clock->set(-0.012 * ++$steps);
		usleep(50_000);
	}
	is(query('SELECT regressions FROM sno_stat'), 0,
		"none of $steps steps of 12 ms uses up a plane");
	cmp_ok(query('SELECT regression_waits FROM sno_stat'), '>=', 10, 'they are waited for');
	query("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE query LIKE '%2000000000%' AND pid <> pg_backend_pid()");
	ends_in_error($session, '57014', 'user request', 'the session is cancelled');
}

# Steps back and forth, of up to 300 ms, under load
{
	my @files = map { ids_file("ids_$_") } 1 .. 4;
	my $steps = 0;
	my ($regressions, @sessions);

	note "SEED=$seed";
	srand($seed);
	query('SELECT sno_stat_reset()');
	@sessions = start_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				options => '-c sno.wait_timeout=-1',
				output => $_,
				sql => <<'EOF' }
SET application_name = 'load';
COPY (SELECT sno_generate() FROM generate_series(1, 400000)) TO STDOUT;
COPY (SELECT sno_generate_many(400000)) TO STDOUT;
COPY (SELECT unnest(sno_generate_array(50)) FROM generate_series(1, 20000)) TO STDOUT;
EOF
		} @files);
	$server->poll_query_until('postgres', 'SELECT slots_claimed > 10000 FROM sno_stat')
	  or die 'no ids are made';
	do
	{
		$clock->set(rand(0.6) - 3);
		$steps++;
		usleep(rand(100_000));
	} while (query("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'load'") > 0);
	finish_sessions(@sessions);

	$regressions = query('SELECT regressions FROM sno_stat');
	note "$steps steps, $regressions changes of plane";
	cmp_ok($regressions, '>', 0, 'the steps change the plane');
	is(id_count(@files), 4 * 1_800_000, 'every id arrives');
	is(duplicates(@files), 0, 'no id comes twice, whatever the clock does');
}

done_testing();

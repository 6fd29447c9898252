# waits.pl
#	A wait for the next time unit of a full pool is bounded, can be cancelled,
#	shows what it is, is counted, and is in no one's way.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time);
use Test::More;

use SnoTest;

# A thousand ids a second
my $server = new_server('waits', settings => preload('sno.sequence_max' => 3));

is_ended($server, 'SnoOverflow', "SELECT $_", $_) foreach
  'sno_generate_array(1000000)', 'sno_generate_many(1000000)',
  'sno_generate() FROM generate_series(1, 1000000)';

# sno.wait_timeout is for what one call waits
{
	my $start = time;

	is_error($server, 'postgres',
		"SET sno.wait_timeout = '300ms'; SELECT sno_generate_array(1000000)",
		'55P03',
		qr/could not generate a sno within sno.wait_timeout \(300 ms\).*All 4 ids of this 4 ms interval.*sno.partition_count/s,
		'sno.wait_timeout ends an array');
	cmp_ok(time - $start, '>=', 0.3, 'sno.wait_timeout does not end it before');
	cmp_ok(time - $start, '<', 10, 'sno.wait_timeout ends it soon');

	is(query($server, "SET sno.wait_timeout = '300ms'; SELECT count(*) FROM (SELECT sno_generate_many(1000)) AS t"),
		'1000', 'each row of a set is a call of its own');
	is(query($server, 'SET sno.wait_timeout = 0; SELECT cardinality(sno_generate_array(200))'),
		'200', 'with sno.wait_timeout = 0 a full pool is still waited for');

	my ($code, $output) = $server->psql('postgres', <<'EOF', on_error_stop => 0);
SET sno.wait_timeout = '50ms';
SELECT sno_generate_array(1000);
SELECT cardinality(sno_generate_array(10));
EOF
	is($output, '10', 'a session whose wait has failed goes on');
}

is(query($server, <<'EOF'), "\nt|t|t|0", 'each unit waited for is counted once, with its time, and nothing put down to the clock');
SELECT sno_stat_reset();
DO 'BEGIN PERFORM sno_generate_array(400); END';
SELECT overflow_waits BETWEEN 20 AND 100, overflow_wait_time > 100,
	overflow_wait_time <= extract(epoch FROM clock_timestamp() - stats_reset) * 1000,
	step_backs + slews
FROM sno_stat
EOF

# A call that waits for more than a second
{
	my $long = qr/a call has waited more than a second for a sno/;
	my $before = log_lines($server, $long);
	my $sql = 'SET sno.wait_timeout = 0; SELECT cardinality(sno_generate_array(%d)); SELECT long_waits FROM sno_stat';

	is(query($server, sprintf $sql, 200), "200\n0", 'a call that waits for less than a second is not counted');
	is(log_lines($server, $long), $before, 'and not logged');
	is(query($server, sprintf $sql, 3000), "3000\n1", 'one that waits for three seconds is counted once');
	is(log_lines($server, $long), $before + 1, 'and logged once');
}

# Who waits is in no one's way, also while the reservation is extended
{
	my ($session, $pid) = start_waiting($server, 'SnoOverflow', 'SELECT sno_generate_array(1000000)');

	is(query($server, <<"EOF"), "t\n600\nt\nactive", 'others read sno_stat and generate while a session waits');
SET statement_timeout = '60s';
SET sno.wait_timeout = 0;
SELECT leases > 0 FROM sno_stat;
SELECT count(*) FROM (SELECT sno_generate() FROM generate_series(1, 600)) AS t;
SELECT leases > 0 FROM sno_stat;
SELECT state FROM pg_stat_activity WHERE pid = $pid
EOF
	query($server, "SELECT pg_cancel_backend($pid)");
	ends_in_error($session, '57014', 'user request', 'it still does, until it is cancelled');
}

done_testing();

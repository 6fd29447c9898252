# waits.pl
#	A wait for the next time unit of a full pool is bounded, can be cancelled,
#	shows what it is, is counted, and is in nobody's way.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Time::HiRes qw(time);
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

# A thousand ids a second
my $server = new_server('waits', settings => preload('sno.sequence_max' => 3));

my %endless = (
	'an array' => 'SELECT sno_generate_array(1000000)',
	'a set' => 'SELECT sno_generate_many(1000000)',
	'single ids' => 'SELECT sno_generate() FROM generate_series(1, 1000000)');

foreach my $what (sort keys %endless)
{
	my ($session, $pid, $start);

	$start = time;
	is_error($server, 'postgres',
		"SET sno.wait_timeout = -1; SET statement_timeout = '200ms'; $endless{$what}",
		'57014', qr/canceling statement due to statement timeout/,
		"statement_timeout ends $what");
	cmp_ok(time - $start, '<', 10, "statement_timeout ends $what soon");

	($session, $pid) = start_waiting($server, 'SnoOverflow', $endless{$what});
	pass("pg_stat_activity shows what $what waits for");
	is($server->safe_psql('postgres', "SELECT pg_cancel_backend($pid)"), 't', 'it is cancelled');
	ends_in_error($session, '57014', 'canceling statement due to user request',
		"pg_cancel_backend ends $what");

	($session, $pid) = start_waiting($server, 'SnoOverflow', $endless{$what});
	is($server->safe_psql('postgres', "SELECT pg_terminate_backend($pid)"), 't', 'it is terminated');
	ends_in_error($session, '57P01', 'terminating connection',
		"pg_terminate_backend ends $what");
}

# sno.wait_timeout is for what one call waits
{
	my $start = time;

	is_error($server, 'postgres',
		"SET sno.wait_timeout = '300ms'; $endless{'an array'}",
		'55P03',
		qr/could not generate a sno within sno.wait_timeout \(300 ms\).*All 4 ids of this time unit.*sno.partition_count/s,
		'sno.wait_timeout ends an array');
	cmp_ok(time - $start, '>=', 0.3, 'sno.wait_timeout does not end it before');
	cmp_ok(time - $start, '<', 10, 'sno.wait_timeout ends it soon');

	is($server->safe_psql('postgres',
			"SET sno.wait_timeout = '300ms'; SELECT count(*) FROM (SELECT sno_generate_many(1000)) AS t"),
		'1000', 'each row of a set is a call of its own');
	is($server->safe_psql('postgres',
			'SET sno.wait_timeout = 0; SELECT cardinality(sno_generate_array(200))'),
		'200', 'with sno.wait_timeout = 0 a full pool is still waited for');

	my ($code, $output) = $server->psql('postgres', <<'EOF', on_error_stop => 0);
SET sno.wait_timeout = '50ms';
SELECT sno_generate_array(1000);
SELECT cardinality(sno_generate_array(10));
EOF
	is($output, '10', 'a session whose wait has failed goes on');
}

# What is counted
{
	my ($waits, $time);
	my $start = time;

	$server->safe_psql('postgres', 'SELECT sno_stat_reset()');
	is($server->safe_psql('postgres', 'SELECT overflow_waits, overflow_wait_time FROM sno_stat'),
		'0|0', 'counts start at 0');
	$server->safe_psql('postgres', 'SELECT sno_generate_array(400)');
	($waits, $time) = split /\|/,
	  $server->safe_psql('postgres', 'SELECT overflow_waits, overflow_wait_time FROM sno_stat');
	cmp_ok($waits, '>=', 20, 'overflow_waits counts the units waited for');
	cmp_ok($waits, '<=', 100, 'overflow_waits counts each once');
	cmp_ok($time, '>', 100, 'overflow_wait_time is most of the time that 100 units take');
	cmp_ok($time, '<=', (time - $start) * 1000, 'overflow_wait_time is within the time passed');
	is($server->safe_psql('postgres',
			'SELECT regressions, regression_waits, regression_wait_time FROM sno_stat'),
		'0|0|0', 'nothing is put down to the clock');
}

# Who waits is in nobody's way, also while the reservation is extended
{
	my ($session, $pid) = start_waiting($server, 'SnoOverflow', $endless{'an array'});
	my $others;

	$others = $server->safe_psql('postgres', <<'EOF');
SET statement_timeout = '60s';
SET sno.wait_timeout = -1;
SELECT leases > 0 FROM sno_stat;
SELECT count(*) FROM (SELECT sno_generate() FROM generate_series(1, 600)) AS t;
SELECT leases > 0 FROM sno_stat;
EOF
	is($others, "t\n600\nt", 'others read sno_stat and generate while a session waits');
	is($server->safe_psql('postgres',
			"SELECT count(*) FROM pg_stat_activity WHERE pid = $pid AND state = 'active'"),
		'1', 'and it still does');
	$server->safe_psql('postgres', "SELECT pg_cancel_backend($pid)");
	ends_in_error($session, '57014', 'user request', 'until it is cancelled');
}

done_testing();

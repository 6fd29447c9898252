# reset.pl
#	A wrong clock that has used both planes far in the future stops
#	generation, across restarts, until another partition and sno_reset() free it.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoTest;

use PostgreSQL::Test::Utils;

my $year_s = 365 * 86400;
my $clock = SnoClock->new('server');
my $server = new_server('reset', settings => preload('sno.partition' => 7), clock => $clock);
my @files = map { ids_file("ids_$_") } 1 .. 5;

# 200,000 ids for a file
sub generate
{
	my ($file) = @_;

	return run_sessions({ server => $server, output => $file, sql => "COPY (SELECT sno_generate_many(200000)) TO STDOUT;\n" });
}

generate($files[0]);
is(query($server, 'SELECT sno_reset(); SELECT plane, last_tick IS NULL FROM sno_stat'), "\n0|f",
	'a reset without need changes nothing');
generate($files[1]);

# A year ahead and back, and two years ahead and back
$clock->set($year_s);
generate($files[2]);
$clock->set(0);
is(query($server, 'SELECT sno_tick_tock(sno_generate()), step_backs FROM sno_stat'), 't|0',
	'after one jump ahead ids go on in the other plane');
$clock->set(2 * $year_s);
generate($files[3]);
$clock->set(0);
is(query($server, 'SELECT plane, other_plane_until > now() + interval \'364 days\' FROM sno_stat'), '1|t',
	'sno_stat shows that the first one is taken for a year');
is_error($server, 'postgres', "SET sno.wait_timeout = '100ms'; SELECT sno_generate()", '55P03',
	qr/clock stepped back; generation can resume in 315\d{8} ms/,
	'after the second there is no plane to go on in');
like(slurp_file($server->logfile),
	qr/LOG:  clock is behind the snos generated or reserved so far in both planes\n[^\n]*DETAIL:  No sno can be generated for 315\d{8} ms/,
	'which is logged');

# Restarts do not help, nor does another partition on its own
$clock->run(sub { $server->restart });
is_error($server, 'postgres', 'SET sno.wait_timeout = 0; SELECT sno_generate()', '55P03',
	qr/reserved ahead of the clock before the server started; generation can resume in 315\d{8} ms/,
	'not after a restart either, and it is not waited for with sno.wait_timeout = 0');
$clock->run(sub { configure($server, preload('sno.partition' => 8)) });
is_error($server, 'postgres', "SET sno.wait_timeout = '100ms'; SELECT sno_generate()", '55P03',
	qr/generation can resume in 315\d{8} ms/, 'and not in another partition');
is(query($server, 'SELECT restart_waits > 0, restart_wait_time >= 100, step_back_waits, last_tick IS NULL FROM sno_stat'),
	't|t|0|t', 'the waits are counted, as those of a restart');

# Sessions that wait go on when the record is reset
{
	my ($session) = start_waiting($server, 'SnoRestart', 'SELECT sno_generate_many(2000)');
	my $errors;

	$server->psql('postgres', 'SELECT sno_reset()', stderr => \$errors);
	like($errors, qr/WARNING:  discarded sno reservations ahead of the clock.*will be generated again unless the partition/s,
		'sno_reset says what it does');
	finish_sessions($session);
	pass('a session that waits goes on');
}
is(query($server, 'SELECT sno_partition(sno_generate()), sno_timestamp(sno_generate()) BETWEEN now() - interval \'5 ms\' AND clock_timestamp()'),
	'8|t', "ids are made in the new partition, at the clock's time");
generate($files[4]);
is(duplicates(@files), 0, 'no id is duplicated');

# It is durable
$server->stop('immediate');
$clock->run(sub { $server->start });
is(query($server, "SET sno.wait_timeout = '2s'; SELECT sno_partition(sno_generate())"), 8,
	'and a crash does not bring the record back');

# A restore by mistake, before the first id since a start, is undone, which neither a
# rollback nor a crash does
{
	my @both = map { ids_file("ids_$_") } 'before', 'after';
	my $errors;

	generate($both[0]);
	$clock->run(sub { $server->restart });
	$server->psql('postgres', <<'EOF', stderr => \$errors);
BEGIN;
SELECT sno_restore(jsonb_set(jsonb_set(snapshot, '{planes,0,reserved}', hour_ahead), '{planes,1,reserved}', hour_ahead))
FROM (SELECT sno_snapshot()) AS taken (snapshot), to_jsonb((snapshot -> 'clock')::bigint + 3600 * 250) AS hour_ahead;
ROLLBACK;
EOF
	like($errors, qr/WARNING:  no sno can be generated for 3[56]\d\d s/, 'sno_restore says that it stops generation');
	crash($server);
	$clock->run(sub { $server->start });
	is_error($server, 'postgres', "SET sno.wait_timeout = '100ms'; SELECT sno_generate()", '55P03',
		qr/generation can resume in 3[56]\d{5} ms/, 'and it does');
	query($server, 'SELECT sno_reset()');
	generate($both[1]);
	is(duplicates(@both), 0, 'after sno_reset ids are made again, and none is duplicated');
}

done_testing();

# clock_load.pl
#	Steps of the clock while eight sessions make ids in all ways: no id comes
#	twice, ids go on at once where they can, and the log tells of each step
#	once.
#
# The steps lead into moments at which ids were made, so that a server that did
# not change its plane would make them again.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;
use Time::HiRes qw(time);

use lib $FindBin::RealBin;
use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 8,
	IDS => 300_000,				# between two steps
};

my $clock = SnoClock->new('server');
my $server;

# What the log says when the clock is behind
my $behind = qr/ran backwards|behind/;

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

# Changes of the plane, waits for the clock, lines in the log
sub events
{
	return split(/\|/, query('SELECT regressions, regression_waits FROM sno_stat')),
	  log_lines($server, $behind);
}

# The clock shows the time to_s, and ids go on: as many as between two steps
sub step_to
{
	my ($to_s) = @_;

	$clock->set_to($to_s);
	wait_for_ids($server, load_size(IDS));
	return;
}

# Ids are made at the clock's time, in the plane of this tick-tock bit
sub is_on
{
	my ($tick_tock, $name) = @_;

	return is(query(<<'EOF'), "$tick_tock|t", "$name: ids have the clock's time, with tick-tock bit '$tick_tock'");
WITH made AS MATERIALIZED (SELECT clock_timestamp() AS start, sno_generate() AS id, clock_timestamp() AS stop)
SELECT sno_tick_tock(id), sno_timestamp(id) BETWEEN start - interval '4 ms' AND stop FROM made
EOF
}

# Waits until the clock is this many seconds after a time
sub await_clock
{
	my ($to_s) = @_;

	$server->poll_query_until('postgres', "SELECT extract(epoch FROM clock_timestamp()) > $to_s")
	  or die 'time stands still';
	return;
}

{
	my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;
	my ($past_s, $left_s, $waiting, @sessions, @before, @after);

	$clock->set(-3600);
	$server = new_server('load', clock => $clock);
	$past_s = $clock->now_s;
	@sessions = start_load($server, @files);
	wait_for_ids($server, load_size(IDS));
	step_to(time);
	is_on('f', 'an hour ahead');

	$left_s = $clock->now_s;
	step_to($past_s);
	is_on('t', 'an hour back');
	@after = events();
	is("@after", '1 0 1', 'one change of the plane, no wait, one line in the log');

	# Before what both planes were used at
	$clock->set_to($past_s - 3600);
	$waiting = sprintf(<<'EOF', SESSIONS, $server->pg_version < 17 ? 'Extension' : 'SnoRegression');
SELECT count(*) = %d FROM pg_stat_activity
WHERE application_name = 'load' AND wait_event_type = 'Extension' AND wait_event = '%s'
EOF
	ok($server->poll_query_until('postgres', $waiting),
		'a second step into the same past: all sessions are seen to wait');
	foreach my $ms (300, 0)
	{
		is_error($server, 'postgres', "SET sno.wait_timeout = $ms; SELECT sno_generate()", '55P03',
			qr/could not generate a sno within sno.wait_timeout \($ms ms\).*clock ran backwards; generation can go on in 3\d{6} ms/s,
			"it is an error with sno.wait_timeout = $ms");
	}
	@after = events();
	is($after[0], 1, 'the plane stays');
	is($after[2], 2, 'and one more line is in the log');

	step_to(time);
	is_on('t', 'the clock is right again');

	# By a second: the other plane was left earlier than where it leads
	await_clock($left_s + 2);
	@before = events();
	$left_s = $clock->now_s;
	step_to($clock->now_s - 1);
	is_on('f', 'a second back');
	@after = events();
	is("@after", join(' ', $before[0] + 1, $before[1], $before[2] + 1),
		'one change of the plane, no wait, one line in the log');

	# By 5 ms, until one of them is noticed
	await_clock($left_s + 2);
	@before = @after;
	foreach my $attempt (1 .. 100)
	{
		step_to($clock->now_s - 0.005);
		last if (events())[1] > $before[1];
	}
	@after = events();
	is($after[0], $before[0], '5 ms back: the plane stays');
	cmp_ok($after[1], '>', $before[1], 'they are waited for');
	is($after[2], $before[2], 'and not logged');
	is_on('f', '5 ms back');

	# Ahead, and corrected
	@before = @after;
	step_to(time + 3600);
	is_on('f', 'an hour ahead');
	step_to(time);
	is_on('t', 'and corrected');
	@after = events();
	is("@after", join(' ', $before[0] + 1, $before[1], $before[2] + 1),
		'one change of the plane, no wait, one line in the log');

	stop_load($server, @sessions);
	no_duplicates('no id comes twice, whatever steps the clock takes', @files);
	$server->stop;
}

# A pool that is exhausted.  The clock moves on to end an episode.
{
	my $exhausted = qr/all snos of a time unit were taken/;

	$clock->set(-60);
	$server = new_server('exhausted',
		clock => $clock,
		settings => preload('sno.sequence_max' => 3));

	# 4 ids in 4 ms
	query('SELECT count(sno_generate()) FROM generate_series(1, 200)');
	$clock->set(-50);
	query('SELECT sno_generate()');
	is(log_lines($server, $exhausted), 0, 'a pool that is exhausted for a short time is not in the log');

	run_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				options => '-c sno.wait_timeout=-1',
				sql => 'SELECT count(sno_generate()) FROM generate_series(1, 250);' }
		} 1 .. SESSIONS);
	$clock->set(-40);
	run_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				sql => 'SELECT sno_generate();' }
		} 1 .. SESSIONS);
	is(log_lines($server, $exhausted), 1, 'one that is so for two seconds is, once, when that is over');
	is(log_lines($server, $behind), 0, 'no step of the clock is');
	$clock->set(-30);
	query('SELECT sno_generate()');
	is(log_lines($server, $exhausted), 1, 'and never again');
	$server->stop;
}

done_testing();

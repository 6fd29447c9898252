# restart.pl
#	A restart, clean or not, with the clock as it was or set back, makes no id
#	come twice.  Only a step into a past that both planes were used in is
#	waited for longer than 1.5 s.
#
# The steps lead into moments at which ids were made, so that a server that had
# forgotten them would make them again.
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
	IDS => 300_000,				# of a load
	QUICK_RESTARTS => 3,
	START_S => 0.5,				# what a start takes at most, by the clock
};

my ($clock, $server, $name, @files);

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

sub load
{
	my @load_files = map { ids_file('ids_' . (@files + $_)) } 1 .. SESSIONS;
	my @sessions = start_load($server, @load_files);

	push @files, @load_files;
	wait_for_ids($server, load_size(IDS));
	return @sessions;
}

# Stops the server while sessions make ids, and starts it this many seconds
# before the moment at which it was stopped, or at that time.  On a busy machine
# a start can outlast a reservation: the clock then goes back to where it is after
# a short one, before sno asks for the time.
sub restart_under_load
{
	my ($mode, %params) = @_;
	my @sessions = load();
	my $start_s;

	$clock->stand_still(sub { $server->stop($mode); end_sessions(@sessions) });
	$start_s = $params{to_s} // $clock->now_s - $params{back_s};
	$clock->set_to($start_s);
	$clock->run(sub { $server->start });
	$clock->set_to($start_s + START_S) if $clock->now_s > $start_s + START_S;
	return;
}

# The first id: its plane, and how many waits there were, and for how long
sub first
{
	my ($id, $tick_tock, $s) = first_id($server);
	my ($waits, $wait_ms, $on_time) = split /\|/, query(<<"EOF");
SELECT restart_waits, restart_wait_time, sno_timestamp('$id') BETWEEN now() - interval '10 s' AND now() FROM sno_stat
EOF

	append_to_file($files[0], "$id\n");
	is_quick($s, "$name: the first id");
	is($on_time, 't', "$name: it has the clock's time");
	return ($tick_tock, $waits, $wait_ms);
}

# The limit of a wait holds
sub is_refused
{
	my ($pattern) = @_;
	my $waited = 'SELECT restart_wait_time + regression_wait_time FROM sno_stat';

	foreach my $ms (300, 0)
	{
		my $start_ms = query($waited);
		my $took_ms;

		is_error($server, 'postgres', "SET sno.wait_timeout = $ms; SELECT sno_generate()", '55P03',
			qr/could not generate a sno within sno.wait_timeout \($ms ms\).*$pattern/s,
			"$name: an error with sno.wait_timeout = $ms");
		$took_ms = query($waited) - $start_ms;
		if ($ms == 0)
		{
			is($took_ms, 0, "$name: at once");
		}
		else
		{
			ok($took_ms >= $ms - 0.001 && $took_ms < 2 * $ms, "$name: after that time")
			  || diag("$took_ms ms");
		}
	}
	return;
}

# A wait is to be seen, and ends when the clock is set to this time
sub waits_until
{
	my ($to_s, $event) = @_;
	my $file = ids_file('waiting');
	my ($session) = start_sessions(
		{   server => $server,
			database => 'postgres',
			output => $file,
			options => '-c sno.wait_timeout=-1',
			sql => "SET application_name = 'waiting';\nSELECT sno_generate();\n" });

	# Before 17 an extension cannot name its waits
	$event = 'Extension' if $server->pg_version < 17;
	ok($server->poll_query_until('postgres',
			"SELECT wait_event_type = 'Extension' AND wait_event = '$event' FROM pg_stat_activity WHERE application_name = 'waiting'"),
		"$name: the wait is to be seen as $event");
	$clock->set_to($to_s);
	finish_sessions($session);
	is(id_count($file), 1, "$name: it ends when the clock is right again");
	append_to_file($files[0], slurp_file($file));
	return;
}

foreach my $mode ('immediate', 'fast')
{
	# An hour
	{
		my ($past_s, $present_s, $tick_tock, $waits, $wait_ms);
		my $waited = 0;

		$clock = SnoClock->new("${mode}_hour");
		$clock->set(-3600);
		$server = new_server("${mode}_hour", clock => $clock);
		@files = (ids_file('first_ids'));

		$past_s = $clock->now_s;
		$name = "$mode stop, long ago";
		restart_under_load($mode, back_s => 0);
		first();

		$clock->set(0);
		foreach my $round (1 .. QUICK_RESTARTS)
		{
			$name = "$mode stop, quick restart $round";
			restart_under_load($mode, back_s => 0);
			($tick_tock, $waits, $wait_ms) = first();
			is($tick_tock, 'f', "$name: the plane stays");
			cmp_ok($wait_ms, '<', 2000, "$name: the rest of the reservation, at most, was waited for");
			$waited += $waits;
		}
		cmp_ok($waited, '>', 0, "$mode stop: quick restarts wait for the rest of a reservation");

		$name = "$mode stop, an hour back";
		restart_under_load($mode, to_s => $past_s);
		($tick_tock, $waits) = first();
		is("$tick_tock|$waits", 't|0', "$name: ids go on at once, in the other plane");
		is(log_lines($server, qr/ran backwards|behind/), 1, "$name: one line in the log");

		$name = "$mode stop, a second step into the same past";
		restart_under_load($mode, to_s => $past_s - 60);
		is_refused('reserved ahead of the clock before the server started; generation can go on in');
		waits_until(time, 'SnoRestart');

		$name = "$mode stop, a third step, of a server that runs";
		$clock->set_to($past_s);
		is_refused('clock ran backwards; generation can go on in');
		waits_until(time, 'SnoRegression');

		stop_load($server, load());
		$server->stop;
		no_duplicates("$mode stops and steps of an hour: no id comes twice", @files);
	}

	# A second
	{
		my ($tick_tock, $waits, $steps);

		$clock = SnoClock->new("${mode}_second");
		$server = new_server("${mode}_second", clock => $clock);
		@files = (ids_file('first_ids'));

		# Such a step is waited for if a reservation reaches as far
		do
		{
			$name = "$mode stop, a second back, step " . ++$steps;
			restart_under_load($mode, back_s => 1);
			($tick_tock, $waits) = first();
			ok($tick_tock eq 'f' || $waits == 0, "$name: the plane is left only to go on at once");
		} while ($tick_tock eq 'f' && $steps < QUICK_RESTARTS);
		if ($tick_tock eq 'f')
		{
			$name = "$mode stop, 3 s back";
			restart_under_load($mode, back_s => 3);
			($tick_tock, $waits) = first();
			is("$tick_tock|$waits", 't|0', "$name: ids go on at once, in the other plane");
		}

		$name = "$mode stop, more seconds back, after both planes were used";
		restart_under_load($mode, back_s => 8);
		is_refused('reserved ahead of the clock before the server started; generation can go on in');
		waits_until($clock->now_s + 12, 'SnoRestart');

		stop_load($server, load());
		$server->stop;
		no_duplicates("$mode stops and steps of a second: no id comes twice", @files);
	}
}

done_testing();

# restart.pl
#	A restart, clean or not, with the clock as it was or set back, makes no id
#	come twice.  Only a step into a past that both planes were used in is
#	waited for longer than 1.5 s.  Steps of a second are for crash.pl, those of a
#	server that runs for clock.pl.
#
# The steps lead into moments at which ids were made, so that a server that had
# forgotten them would make them again.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(time);

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	QUICK_RESTARTS => 3,
	START_S => 0.5,				# what a start takes at most, by the clock
};

my ($clock, $server, $name, @files);

sub start_another_load
{
	my @load_files = load_files('ids_' . @files);
	my @sessions = start_load($server, @load_files);

	push @files, @load_files;
	wait_for_ids($server);
	return @sessions;
}

# Stops the server while sessions make ids, and starts it as if at the moment at
# which it was stopped, or at that time.  On a busy machine a start can outlast a
# reservation: the clock then goes back to where it is after a short one, before
# sno asks for the time.
sub restart_under_load
{
	my ($mode, $to_s) = @_;
	my @sessions = start_another_load();

	$clock->stand_still(sub { $server->stop($mode); end_sessions(@sessions) });
	$to_s //= $clock->now_s;
	$clock->set_to($to_s);
	$clock->run(sub { $server->start });
	$clock->set_to($to_s + START_S) if $clock->now_s > $to_s + START_S;
	return;
}

# The first id: its plane, and how many waits there were, and for how long
sub first
{
	my ($id, $tick_tock, $s) = first_id($server);
	my ($waits, $wait_ms, $on_time) = split /\|/, query($server, <<"EOF");
SELECT restart_waits, restart_wait_time, sno_timestamp('$id') BETWEEN now() - interval '10 s' AND now() FROM sno_stat
EOF

	append_to_file($files[0], "$id\n");
	is_quick($s, "$name: the first id");
	is($on_time, 't', "$name: it has the clock's time");
	return ($tick_tock, $waits, $wait_ms);
}

foreach my $mode ('immediate', 'fast')
{
	my $waited = 'SELECT restart_wait_time FROM sno_stat';
	my $quick_waits = 0;
	my ($past_s, $tick_tock, $waits, $wait_ms, $session);

	$clock = SnoClock->new($mode);
	$clock->set(-3600);
	$server = new_server($mode, clock => $clock);
	@files = (ids_file('first_ids'));

	$past_s = $clock->now_s;
	$name = "$mode stop, long ago";
	restart_under_load($mode);
	first();

	$clock->set(0);
	foreach my $round (1 .. QUICK_RESTARTS)
	{
		$name = "$mode stop, quick restart $round";
		restart_under_load($mode);
		($tick_tock, $waits, $wait_ms) = first();
		is($tick_tock, 'f', "$name: the plane stays");
		cmp_ok($wait_ms, '<', 2000, "$name: the rest of the reservation, at most, was waited for");
		$quick_waits += $waits;
	}
	cmp_ok($quick_waits, '>', 0, "$mode stop: quick restarts wait for the rest of a reservation");

	$name = "$mode stop, an hour back";
	restart_under_load($mode, $past_s);
	($tick_tock, $waits) = first();
	is("$tick_tock|$waits", 't|0', "$name: ids go on at once, in the other plane");
	is(log_lines($server, qr/stepped back|behind/), 1, "$name: one line in the log");

	# The limit of a wait holds, and one without ends when the clock is right again
	$name = "$mode stop, a second step into the same past";
	restart_under_load($mode, $past_s - 60);
	foreach my $ms (300, 0)
	{
		my $before_ms = query($server, $waited);

		is_error($server, 'postgres', "SET sno.wait_timeout = $ms; SELECT sno_generate()", '55P03',
			qr/could not generate a sno within sno.wait_timeout \($ms ms\).*before the server started; generation can resume in/s,
			"$name: an error with sno.wait_timeout = $ms");
		$wait_ms = query($server, $waited) - $before_ms;
		ok($wait_ms >= $ms - 0.001 && $wait_ms <= 2 * $ms, "$name: after that time") || diag("$wait_ms ms");
	}
	($session) = start_waiting($server, 'SnoRestart', 'SELECT sno_generate()');
	$clock->set_to(time);
	finish_sessions($session);
	pass("$name: it ends when the clock is right again");

	push @files, load($server, 'last');
	$server->stop;
	no_duplicates("$mode stops, and steps of an hour: no id comes twice", @files);
	unlink @files;
}

done_testing();

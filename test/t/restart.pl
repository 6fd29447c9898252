# restart.pl
#	A restart, clean or not, right behind an id: the next one is a later one, and
#	comes within 2 s.  Only a step into a past that both planes were used in is
#	waited for longer.  Restarts under load are for fleet.pl.
#
# The clock stands still while the server is down, so that all that is left of a
# reservation is to be waited for.  Nothing but sno brings its record to the disk
# in time here: the WAL writer sleeps, and no transaction that makes ids commits
# anything.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(time);

use SnoClock;
use SnoTest;

use constant START_S => 0.5;		# what a start takes at most, by the clock

my ($clock, $server);

# What the client received before its transaction ended without a trace
sub rolled_back_id
{
	return query($server, 'BEGIN READ ONLY; SELECT sno_generate(); ROLLBACK;');
}

# Stops the server, and starts it at the moment at which it was stopped, or then.
# On a busy machine a start can outlast a reservation: the clock then goes back to
# where it is after a short one, before sno asks for the time.
sub restart
{
	my ($mode, $to_s) = @_;

	$clock->stand_still(sub { $mode eq 'crash' ? crash($server) : $server->stop($mode) });
	$to_s //= $clock->now_s;
	$clock->set_to($to_s);
	$clock->run(sub { $server->start });
	$clock->set_to($to_s + START_S) if $clock->now_s > $to_s + START_S;
	return;
}

# restart_after(ID, MODE, NAME): with this id as the last one made
sub restart_after
{
	my ($id, $mode, $name) = @_;
	my ($next, $tick_tock, $s);

	restart($mode);
	is_reserved($server, "$name: the id is covered by the record", $id);
	($next, $tick_tock, $s) = first_id($server);
	is_quick($s, "$name: the next id");
	cmp_ok($next, 'gt', $id, "$name: it is a later one");
	is($tick_tock, 'f', "$name: in the same plane");
	return;
}

$clock = SnoClock->new('crash');
$server = new_server('crash', clock => $clock, settings => { wal_writer_delay => '10s' });
restart_after(rolled_back_id(), 'crash', 'right after the first id ever, in a read-only transaction that was rolled back');
restart_after(query($server, 'SELECT sno_generate(); CHECKPOINT'), 'crash', 'right after a checkpoint');
query($server, 'CHECKPOINT');
$server->poll_query_until('postgres', 'SELECT clock_timestamp() > reserved_until FROM sno_stat')
  or die 'the reservation does not end';
restart_after(rolled_back_id(), 'crash', 'after a checkpoint and another reservation');
$server->stop;

foreach my $mode ('immediate', 'fast')
{
	my $waited = 'SELECT restart_wait_time FROM sno_stat';
	my ($name, $past_s, $session) = ("$mode stop, an hour back");

	$clock = SnoClock->new($mode);
	$server = new_server($mode, clock => $clock);
	$past_s = $clock->now_s - 3600;
	restart_after(query($server, 'SELECT sno_generate()'), $mode, "$mode stop");

	restart($mode, $past_s);
	is(query($server, 'SELECT sno_tick_tock(sno_generate()), restart_waits FROM sno_stat'), 't|0', "$name: ids go on at once, in the other plane");
	is(log_lines($server, qr/stepped back|behind/), 1, "$name: one line in the log");

	# The limit of a wait holds, and one without ends when the clock is right again
	$name = "$mode stop, a second step into the same past";
	restart($mode, $past_s - 60);
	foreach my $ms (300, 0)
	{
		my $before_ms = query($server, $waited);
		my $wait_ms;

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
	$server->stop;
}

done_testing();

# restart.pl
#	A restart, clean or not, right behind an id: the next one is a later one, and
#	waits for nothing, also after a step into a past that both planes were used in.
#	Restarts under load are for servers.pl.
#
# The clock stands still while the server is down, so that it is behind all that is
# left of a reservation.  Nothing but sno brings its record to the disk
# in time here: the WAL writer sleeps, and no transaction that makes ids commits
# anything.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(time);

use SnoTest;
use SnoTrouble;

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

sub waits_for_nothing
{
	my ($name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(query($server, 'SELECT overflow_waits + reservation_waits FROM sno_stat'), '0', "$name waits for nothing");
}

# restart_after(ID, MODE, NAME): with this id as the last one made
sub restart_after
{
	my ($id, $mode, $name) = @_;
	my ($next, $tick_tock);

	restart($mode);
	is_reserved($server, "$name: the id is covered by the record", $id);
	($next, $tick_tock) = first_id($server);
	waits_for_nothing("$name: the next id");
	cmp_ok($next, 'gt', $id, "$name: it is a later one");
	is($tick_tock, 'f', "$name: in the same plane");
	return;
}

$clock = new_clock('crash');
$server = new_server('crash', clock => $clock, settings => { wal_writer_delay => '10s' });
restart_after(rolled_back_id(), 'crash', 'right after the first id ever, in a read-only transaction that was rolled back');
restart_after(query($server, 'SELECT sno_generate(); CHECKPOINT'), 'crash', 'right after a checkpoint');
query($server, 'CHECKPOINT');
wait_until($server, 'clock_timestamp() > reserved_until FROM sno_stat');
restart_after(rolled_back_id(), 'crash', 'after a checkpoint and another reservation');
$server->stop;

foreach my $mode ('immediate', 'fast')
{
	my ($name, $past_s) = ("$mode stop, an hour back");

	$clock = new_clock($mode);
	$server = new_server($mode, clock => $clock);
	$past_s = $clock->now_s - 3600;
	restart_after(query($server, 'SELECT sno_generate()'), $mode, "$mode stop");

	restart($mode, $past_s);
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 't', "$name: ids go on in the other plane");
	waits_for_nothing($name);
	is(log_lines($server, qr/clock is \d+ ms behind/), 1, "$name: one line in the log");

	# The lead lasts as long as the clock is behind
	$name = "$mode stop, a second step into the same past";
	restart($mode, $past_s - 60);
	is(query($server, 'SELECT sno_tick_tock(sno_generate())'), 't', "$name: the plane stays");
	waits_for_nothing($name);
	is(query($server, 'SELECT lead BETWEEN 50000 AND 70000 FROM sno_stat'), 't', "$name: sno_stat shows how far ids are ahead");
	is(log_lines($server, qr/new snos are [56]\d{4} ms ahead/), 1, "$name: so does the log");
	$clock->set_to(time);
	query($server, 'SELECT sno_generate()');
	is(query($server, 'SELECT lead FROM sno_stat'), '0', "$name: it ends when the clock is right again");
	$server->stop;
}

done_testing();

# SoakActs.pm
#	What happens in the soak.
#
# An act draws all it decides before anything happens, so that the same seed
# makes the same decisions.
package SoakActs;

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(shuffle);
use Time::HiRes qw(usleep);

use SoakCheck qw(covers describe check_rows);
use SoakDice;

use constant MINUTE_S => 60;
use constant HOUR_S => 3600;

# How often each comes up in a deck, and what it does.  Every deck has all of
# them, in another order.
my %acts = (
	step_back => [ 4, sub ($soak) { $soak->step_clock(-log_uniform(0.005, 2)) } ],
	step_back_minute => [ 1, sub ($soak) { $soak->step_clock(-(MINUTE_S)) } ],
	step_back_hour => [ 1, sub ($soak) { $soak->step_clock(-(HOUR_S)) } ],
	jump_ahead => [ 2, sub ($soak) { $soak->step_clock(log_uniform(0.01, 5)) } ],
	jump_far_ahead => [ 1, sub ($soak) { $soak->step_clock(log_uniform(5, HOUR_S)) } ],
	# To where it would be if it had never been moved, but for rescues
	correct_clock =>
	  [ 2, sub ($soak) { $soak->step_clock($soak->{centre_s} - $soak->{primary}{clock}->offset_s) } ],
	jitter => [ 2, sub ($soak) { move_clock($soak, draw_steps(10, 0.02, 0.03)) } ],
	wander => [ 3, sub ($soak) { move_clock($soak, draw_steps(10, 0.5, 0.2)) } ],
	kill_backend => [ 2, sub ($soak) { restart($soak, 'crash') } ],
	kill_postmaster => [ 1, sub ($soak) { restart($soak, 'kill') } ],
	stop_immediate => [ 1, sub ($soak) { restart($soak, 'immediate') } ],
	stop_fast => [ 1, sub ($soak) { restart($soak, 'fast') } ],
	checkpoint => [ 1, sub ($soak) { $soak->{primary}->query('CHECKPOINT') } ],
	restore => [ 2, \&restore ],
	promote => [ 1, sub ($soak) { promote($soak, 0) } ],
	promote_cut_off => [ 1, sub ($soak) { promote($soak, log_uniform(0.2, 3)) } ],
	restart_standby => [ 1, \&restart_standby ],
	look_at_standby => [ 2, sub ($soak) { check_covered($soak->{standby}) } ]);

# Code that returns the name of the next one each time
sub deck()
{
	my $decks = 0;
	my @deck;

	return sub {
		if (!@deck)
		{
			seed_for('deck', $decks++);
			@deck = shuffle(map { ($_) x $acts{$_}[0] } sort keys %acts);
		}
		return shift @deck;
	};
}

sub carry_out($soak, $name)
{
	$acts{$name}[1]->($soak);
	$soak->{counts}{$name}++;
}

# How far from where it was the clock goes, and how long it stays there, so that
# it comes to the same times again and again
sub draw_steps($count, $range_s, $pause_s)
{
	return [ map { [ $range_s * (2 * rand() - 1), rand $pause_s ] } 1 .. $count ];
}

# How far the clock is moved while a server is down
sub draw_move()
{
	return pick(
		0, 0, 0, 0,
		-log_uniform(0.005, 2), -log_uniform(0.005, 2),
		-(MINUTE_S), -(HOUR_S),
		log_uniform(0.01, 5),
		log_uniform(5, HOUR_S));
}

# Before the server goes down the clock may move, so that planes are changed and
# reservations made, while it is down, and afterwards.  The fate is that of the
# children of a postmaster that is killed; alone says whether the first id
# afterwards is made before all clients come at once.
sub draw_stop()
{
	return {
		fate => pick('killed', 'killed', 'left'),
		before => pick(
			[],
			[ [ draw_move(), log_uniform(0.002, 0.1) ] ],
			draw_steps(5, 0.5, 0.1)),
		which => rand,
		move_s => draw_move(),
		alone => chance(0.5),
		after => pick([], draw_steps(5, 4, 0.3)) };
}

# Moves the clock of the primary from where it is to one place after the other
sub move_clock($soak, $steps)
{
	my $before_s = $soak->{primary}{clock}->offset_s;

	foreach my $step (@$steps)
	{
		my ($by_s, $pause_s) = @$step;

		$soak->step_clock($before_s + $by_s - $soak->{primary}{clock}->offset_s);
		usleep(1e6 * $pause_s);
	}
}

# No id that is made afterwards may be one that the snapshot covers
sub restore($soak)
{
	my $snapshot = pick(@{ $soak->{snapshots} });
	my $id;

	$soak->{primary}->query("SELECT sno_restore('$snapshot->{text}')");
	($id) = $soak->own_id;
	die 'after a restore of ' . $snapshot->{text} . ' there came ' . describe($id) . "\n"
	  if defined $id && covers($snapshot->{reserved}, $id);
}

# What comes before the primary goes down
sub before_down($soak, $stop)
{
	$soak->sample;
	$soak->hold_clients;
	move_clock($soak, $stop->{before});
}

# The primary stops or is killed, and starts again, or starts over by itself
sub restart($soak, $how)
{
	my $primary = $soak->{primary};
	my $stop = draw_stop();

	before_down($soak, $stop);
	if ($how eq 'crash')
	{
		$primary->kill_backend($stop->{which});
	}
	else
	{
		$primary->down($how, $stop->{fate});
		$soak->step_clock($stop->{move_s});
		$primary->start;
	}
	$soak->end_life(($primary->record) x 2);
	$soak->begin_life($stop->{alone});
	move_clock($soak, $stop->{after});
}

sub walreceiver_ended($server)
{
	return $server->value('SELECT count(*) FROM pg_stat_wal_receiver') == 0;
}

# The primary goes for good, and the standby becomes the primary, with another
# clock, and has not received everything if it was cut off before.  What the old
# one had on disk is asked of itself: it starts once more, for nobody else.
sub promote($soak, $cut_s)
{
	my ($old, $new) = @{$soak}{qw(primary standby)};
	my $how = pick('kill', 'kill', 'kill', 'fast');
	my $stop = draw_stop();
	my $count = 'SELECT count(*) FROM made';
	my ($offset_s, $record, $durable, $rows);

	$old->{node}->wait_for_catchup($new->{node}, 'replay');
	if ($cut_s)
	{
		$new->{node}->append_conf('postgresql.conf', "primary_conninfo = ''");
		$new->{node}->reload;
		wait_until('the standby to be cut off', sub { walreceiver_ended($new) });
		$soak->pass_time($cut_s);
	}
	before_down($soak, $stop);
	$offset_s = $old->{clock}->offset_s;
	$old->down($how, $stop->{fate});
	wait_until('the standby to notice that the primary is gone', sub { walreceiver_ended($new) });

	# The new primary's clock begins where the old one's was, but for the step
	$soak->{primary} = $new;
	$soak->{standby} = undef;
	$new->{clock}->set($offset_s);
	$soak->step_clock($stop->{move_s});
	$new->{node}->promote;
	$record = $new->record;
	check_covered($new);
	die "the standby has lost reservations that it had received\n"
	  if grep { $record->[$_] < $soak->{record}[$_] } 0, 1;

	$old->start;
	($durable, $rows) = ($old->record, $old->value($count));
	$old->down('immediate');
	$old->read_log;
	$old->{node}->clean_node;
	$soak->end_life($durable, $record);
	$soak->{counts}{'promotions with lost reservations'}++ if "@$durable" ne "@$record";
	$soak->{counts}{'rows lost with promotions'} += check_rows($new, $rows > $new->value($count));
	$soak->begin_life($stop->{alone});
	move_clock($soak, $stop->{after});
	$soak->{standby} = $new->new_standby($new->{clock}->offset_s);
}

sub restart_standby($soak)
{
	my $standby = $soak->{standby};
	my $how = pick('kill', 'immediate', 'fast');
	my $stop = draw_stop();

	$standby->down($how, $stop->{fate});
	$soak->step_clock($stop->{move_s}, $standby);
	$standby->start;
}

# If a row is there, so is the reservation its id was made under, also on a
# standby that is behind.  The rows are read before the record, as both advance.
sub check_covered($server)
{
	my @newest = $server->query('SELECT max(id) FROM made GROUP BY sno_tick_tock(id)');
	my $record = $server->record;

	foreach my $id (map { $_->[0] } @newest)
	{
		die "$server->{name}: the reservations @$record do not cover ${\describe($id)}, which a row has\n"
		  if !covers($record, $id);
	}
}

1;

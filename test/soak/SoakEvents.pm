# SoakEvents.pm
#	What happens in the soak, and when: drawn from a seed, before anything of it
#	happens, so that the same seed makes the same sequence.
package SoakEvents;

use strict;
use warnings FATAL => 'all';

use SoakDice;

use constant PAUSE_MIN_S => 0.3;
use constant PAUSE_MAX_S => 5;

use constant MINUTE_S => 60;
use constant HOUR_S => 3600;

# How often each comes up in a deck, and what is drawn for it.  Every deck has
# all of them, in another order.
my %kinds = (
	step_back => [ 4, sub { by_s => $_[0]->log_uniform(0.005, 2) } ],
	step_back_minute => [ 1, sub { by_s => MINUTE_S } ],
	step_back_hour => [ 1, sub { by_s => HOUR_S } ],
	jump_ahead => [ 2, sub { by_s => $_[0]->log_uniform(0.01, 5) } ],
	jump_far_ahead => [ 1, sub { by_s => $_[0]->log_uniform(5, HOUR_S) } ],
	correct_clock => [ 2, sub { } ],
	jitter => [ 2, sub { steps => draw_steps($_[0], 10, 0.02, 0.03) } ],
	wander => [ 3, sub { steps => draw_steps($_[0], 10, 0.5, 0.2) } ],
	kill_backend => [
		2, sub { draw_stop($_[0], 'crash'), which => $_[0]->fraction, move_s => 0 }
	],
	kill_postmaster => [ 1, sub { draw_stop($_[0], 'kill') } ],
	stop_immediate => [ 1, sub { draw_stop($_[0], 'immediate') } ],
	stop_fast => [ 1, sub { draw_stop($_[0], 'fast') } ],
	checkpoint => [ 1, sub { } ],
	restore => [ 2, sub { which => $_[0]->fraction } ],
	promote => [ 1, sub { draw_promotion($_[0]), cut_s => 0 } ],
	promote_cut_off => [
		1, sub { draw_promotion($_[0]), cut_s => $_[0]->log_uniform(0.2, 3) }
	],
	restart_standby => [ 1, sub { draw_stop($_[0], $_[0]->pick('kill', 'immediate', 'fast')) } ],
	look_at_standby => [ 2, sub { } ]);

# How far the clock is moved while a server is down
sub draw_move
{
	my ($dice) = @_;

	return $dice->pick(
		0, 0, 0, 0,
		-$dice->log_uniform(0.005, 2), -$dice->log_uniform(0.005, 2),
		-(MINUTE_S), -(HOUR_S),
		$dice->log_uniform(0.01, 5),
		$dice->log_uniform(5, HOUR_S));
}

# How far from where it was the clock goes, and how long it stays there, so that
# it comes to the same times again and again
sub draw_steps
{
	my ($dice, $count, $range_s, $pause_s) = @_;

	return [ map { [ $dice->uniform(-$range_s, $range_s), $dice->uniform(0, $pause_s) ] }
		  1 .. $count ];
}

# Before the server goes down the clock may move, so that planes are changed and
# reservations made, while it is down, and afterwards.  The fate is that of the
# children of a postmaster that is killed; alone says whether the first id
# afterwards is made before all clients come at once.
sub draw_stop
{
	my ($dice, $how) = @_;

	return (
		how => $how,
		fate => $dice->pick('killed', 'killed', 'left'),
		before => $dice->pick(
			[],
			[ [ draw_move($dice), $dice->log_uniform(0.002, 0.1) ] ],
			draw_steps($dice, 5, 0.5, 0.1)),
		move_s => draw_move($dice),
		alone => $dice->chance(0.5),
		after => $dice->pick([], draw_steps($dice, 5, 4, 0.3)));
}

sub draw_promotion
{
	my ($dice) = @_;

	return draw_stop($dice, $dice->pick('kill', 'kill', 'kill', 'fast'));
}

# events(SEED): code that returns the next event each time, as {number}, {kind},
# {pause_s} before it, and what was drawn for it
sub events
{
	my ($seed) = @_;
	my ($number, $decks) = (0, 0);
	my @deck;

	return sub {
		my ($kind, $dice);

		@deck = SoakDice->new($seed, 'deck ' . $decks++)
		  ->shuffle(map { ($_) x $kinds{$_}[0] } sort keys %kinds)
		  if !@deck;
		$kind = shift @deck;
		$dice = SoakDice->new($seed, 'event ' . ++$number);
		return {
			number => $number,
			kind => $kind,
			pause_s => $dice->log_uniform(PAUSE_MIN_S, PAUSE_MAX_S),
			$kinds{$kind}[1]->($dice) };
	};
}

1;

# SoakActs.pm
#	Carries out the events that SoakEvents.pm draws.
package SoakActs;

use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(usleep);

use SoakCheck qw(covers describe);
use SoakServer;
use SoakTime;

my %acts = (
	step_back => \&step_back,
	step_back_minute => \&step_back,
	step_back_hour => \&step_back,
	jump_ahead => \&jump_ahead,
	jump_far_ahead => \&jump_ahead,
	correct_clock => \&correct_clock,
	jitter => \&steps,
	wander => \&steps,
	kill_backend => \&kill_backend,
	kill_postmaster => \&restart,
	stop_immediate => \&restart,
	stop_fast => \&restart,
	checkpoint => \&checkpoint,
	restore => \&restore,
	promote => \&promote,
	promote_cut_off => \&promote,
	restart_standby => \&restart_standby,
	look_at_standby => \&look_at_standby);

sub carry_out
{
	my ($soak, $event) = @_;

	$acts{ $event->{kind} }->($soak, $event);
	return;
}

sub step_back
{
	my ($soak, $event) = @_;

	$soak->step_clock($soak->{primary}, -$event->{by_s});
	return;
}

sub jump_ahead
{
	my ($soak, $event) = @_;

	$soak->step_clock($soak->{primary}, $event->{by_s});
	return;
}

# To where it would be if it had never been moved, but for rescues
sub correct_clock
{
	my ($soak, $event) = @_;

	$soak->step_clock($soak->{primary},
		$soak->{centre_s} - $soak->{primary}->clock->offset_s);
	return;
}

sub steps
{
	my ($soak, $event) = @_;

	move_clock($soak, $event->{steps});
	$soak->count("$event->{kind}s");
	return;
}

# Moves the clock of the primary from where it is to one place after the other
sub move_clock
{
	my ($soak, $steps) = @_;
	my $before_s = $soak->{primary}->clock->offset_s;

	foreach my $step (@$steps)
	{
		my ($by_s, $pause_s) = @$step;

		$soak->step_clock($soak->{primary},
			$before_s + $by_s - $soak->{primary}->clock->offset_s);
		usleep(1e6 * $pause_s);
	}
	return;
}

sub checkpoint
{
	my ($soak, $event) = @_;

	$soak->{primary}->query('CHECKPOINT');
	$soak->count('checkpoints');
	return;
}

# No id that is made afterwards may be one that the snapshot covers
sub restore
{
	my ($soak, $event) = @_;
	my $snapshots = $soak->{snapshots};
	my $snapshot = $snapshots->[ $event->{which} * @$snapshots ];
	my @reserved = map { $_->{reserved} } @{ $snapshot->{planes} };
	my $id;

	$soak->{primary}->query("SELECT sno_restore('$snapshot->{text}')");
	($id) = $soak->own_id;
	die 'after a restore of ' . $snapshot->{text} . ' there came ' . describe($id) . "\n"
	  if defined $id && covers(\@reserved, $id);
	$soak->count('restores');
	return;
}

# What comes before the primary goes down
sub before_down
{
	my ($soak, $event) = @_;

	$soak->sample;
	$soak->{clients}->hold;
	move_clock($soak, $event->{before});
	return;
}

# The primary stops or is killed, and starts again
sub restart
{
	my ($soak, $event) = @_;
	my $primary = $soak->{primary};

	before_down($soak, $event);
	$primary->down($event->{how}, $event->{fate});
	$soak->step_clock($primary, $event->{move_s});
	$primary->start;
	$soak->end_life(($primary->record) x 2);
	$soak->begin_life($event->{alone});
	move_clock($soak, $event->{after});
	$soak->count(
		$event->{how} eq 'kill'
		? 'postmasters killed'
		: "$event->{how} stops");
	return;
}

# The server ends all processes and starts over
sub kill_backend
{
	my ($soak, $event) = @_;
	my $primary = $soak->{primary};

	before_down($soak, $event);
	if ($primary->kill_backend($event->{which}))
	{
		$soak->end_life(($primary->record) x 2);
		$soak->begin_life($event->{alone});
		move_clock($soak, $event->{after});
		$soak->count('backends killed');
	}
	else
	{
		$soak->{clients}->open_to($primary->node, $soak->{life});
	}
	return;
}

# The standby has all that the primary has at this moment
sub wait_for_standby
{
	my ($soak) = @_;
	my $location = $soak->{primary}->value('SELECT pg_current_wal_lsn()');

	wait_until(
		'the standby to catch up',
		sub {
			return $soak->{standby}->value("SELECT pg_last_wal_replay_lsn() >= '$location'") eq 't';
		});
	return;
}

sub walreceiver_ended
{
	my ($server) = @_;

	return $server->value('SELECT count(*) FROM pg_stat_wal_receiver') == 0;
}

# The primary goes for good, and the standby becomes the primary, with another
# clock, and has not received everything if it was cut off before
sub promote
{
	my ($soak, $event) = @_;
	my ($old, $new) = @{$soak}{qw(primary standby)};
	my ($offset_s, $timeline, $byte, $segment, $record, $lost);

	wait_for_standby($soak);
	if ($event->{cut_s})
	{
		$new->node->append_conf('postgresql.conf', "primary_conninfo = ''");
		$new->node->reload;
		wait_until('the standby to be cut off', sub { walreceiver_ended($new) });
		$soak->pass_time($event->{cut_s});
	}
	$timeline = substr($old->value('SELECT pg_walfile_name(pg_current_wal_lsn())'), 0, 8);
	before_down($soak, $event);
	$offset_s = $old->clock->offset_s;
	$old->down($event->{how}, $event->{fate});
	wait_until('the standby to notice that the primary is gone', sub { walreceiver_ended($new) });

	# The new primary's clock begins where the old one's was, but for the step
	$soak->{primary} = $new;
	$soak->{standby} = undef;
	$new->clock->set($offset_s);
	$soak->step_clock($new, $event->{move_s});
	$new->node->promote;
	wait_until('the promotion', sub { $new->value('SELECT pg_is_in_recovery()') eq 'f' });

	$byte = $new->value('SELECT pg_last_wal_replay_lsn() - 1');
	$segment = substr($new->value("SELECT pg_walfile_name('$byte')"), 8);
	$record = $new->record;
	$lost = $old->wal_after($byte, "$timeline$segment");
	check_rows($new);
	die "the standby has lost reservations that it had received\n"
	  if grep { $record->[$_] < $soak->{record}[$_] } 0, 1;
	$soak->end_life($lost->{record} // $record, $record);
	end_generation($soak, $lost);
	$soak->begin_life($event->{alone});
	move_clock($soak, $event->{after});

	$old->read_log;
	$old->throw_away;
	$soak->{standby} = $new->new_standby($new->clock->offset_s);
	return;
}

# What was lost with the old primary?
sub end_generation
{
	my ($soak, $lost) = @_;
	my @files = $soak->committed_files;

	if ($lost->{commits})
	{
		$soak->{rows}->add_surviving($soak->{life}, $soak->{primary}, @files);
	}
	else
	{
		$soak->{rows}->add($soak->{life}, @files);
	}
	$soak->{generation_lives} = [];
	$soak->count('promotions');
	$soak->count('promotions with a lost tail') if $lost->{commits} || $lost->{reservations};
	$soak->count('promotions with lost reservations') if $lost->{reservations};
	return;
}

sub restart_standby
{
	my ($soak, $event) = @_;
	my $standby = $soak->{standby};

	$standby->down($event->{how}, $event->{fate});
	$soak->set_clock($standby, $standby->clock->offset_s + $event->{move_s});
	$standby->start;
	$soak->count('standby restarts');
	return;
}

sub look_at_standby
{
	my ($soak, $event) = @_;

	check_rows($soak->{standby});
	$soak->count('looks at the standby');
	return;
}

# If a row is there, so is the reservation its id was made under, also on a
# standby that is behind.  The rows are read before the record, as both advance.
sub check_rows
{
	my ($server) = @_;
	my @newest = $server->query('SELECT max(id) FROM made GROUP BY sno_tick_tock(id)');
	my $record = $server->record;

	foreach my $id (map { $_->[0] } @newest)
	{
		die $server->name . ': the reservations ' . "@$record do not cover " . describe($id)
		  . ", which a row has\n"
		  if !covers($record, $id);
	}
	return;
}

1;

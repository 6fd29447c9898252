# Soak.pm
#	The soak: a primary, a standby and clients; what happens to them, and what
#	has to be true while and after it does.
#
# A life is the time from a start of the primary to its end, by a stop, a crash
# or a promotion of the standby.  What is claimed of the ids received in a life:
#
# - None was received before, in this life or an earlier one, but for those that
#	were lost (see below).
# - Each is covered by the reservations that the server has on disk when the life
#	is over.  After a crash these are read before the next id is made; of a server
#	whose successor is its standby, from the WAL it left behind.
# - When the standby is promoted it may not have received the end of that WAL.
#	Received ids that the reservations which it did receive do not cover are
#	lost: they may come up again.  If no reservation was lost, no id is.  All ids
#	of rows that the standby has are covered in any case.
package Soak;

use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(usleep);

use SnoTest qw(ids_file);
use SoakCheck;
use SoakClients;
use SoakRows;
use SoakServer;
use SoakTime;

use constant LOOK_S => 0.5;
use constant TICK_S => 0.004;

# The clock stays that near to its centre, unless no id can be made otherwise
use constant WANDER_S => 7200;

# A wait of this length is not waited for: the clock is moved ahead
use constant RESCUE_S => 3;

# The first id after a restart comes within this time if the clock did not step
use constant RESTART_WAIT_MAX_MS => 2000;
use constant STUCK_S => 30;
use constant SNAPSHOTS_KEPT => 200;

my @waits = qw(overflow_waits overflow_wait_time regression_waits regression_wait_time
  restart_waits restart_wait_time);
my @counters = (qw(slots_claimed leases reservations regressions), @waits);

# new(settings => {...}, progress => CODE)
# With both servers, but no client yet.
sub new
{
	my ($class, %params) = @_;
	my $soak = bless {
		%params,
		check => SoakCheck->new,
		rows => SoakRows->new,
		life => 0,
		centre_s => 0,
		possible_since_s => undef,	# for how long has an id been possible
		stuck_since_s => undef,		# for how long will one not be for a while
		first_wait_ticks => undef,	# which a restart is expected to take
		looked_s => 0,
		own_ids => 0,
		generation_lives => [],		# since the last promotion
		snapshots => [],
		stat => {},					# of this life, when last looked
		totals => { map { $_ => 0 } @counters },
		counts => {},
		longest_restart_s => 0,
		longest_restart_wait_ms => 0 }, $class;

	$soak->{primary} = SoakServer->new_primary($params{settings}, 0);
	$soak->{primary}->query($_) foreach
	  'CREATE TABLE made (id sno PRIMARY KEY DEFAULT sno_generate(), client int, life int)',
	  'CREATE TABLE many AS SELECT generate_series(1, 20000) AS n',
	  'VACUUM ANALYZE many';
	$soak->{standby} = $soak->{primary}->new_standby(0);
	return $soak;
}

sub count
{
	my ($soak, $what) = @_;

	$soak->{counts}{$what}++;
	return;
}

# The ids that all clients have received, and those of the soak's own calls
sub received
{
	my ($soak) = @_;

	return $soak->{own_ids} + $soak->{clients}{received};
}

# Lets time pass, and sees to everything meanwhile
sub pass_time
{
	my ($soak, $duration_s) = @_;
	my $until_s = now_s() + $duration_s;

	while ((my $left_s = $until_s - now_s()) > 0)
	{
		$soak->{clients}->listen($left_s < 0.2 ? $left_s : 0.2);
		$soak->{check}->go_on;
		$soak->look if now_s() - $soak->{looked_s} >= LOOK_S;
		$soak->{progress}->($soak);
	}
	return;
}

# An id of the soak's own, or the error there was
sub own_id
{
	my ($soak, $sql) = @_;
	my $id;
	my $error = $soak->{primary}->try($sql // 'SELECT sno_generate()',
		sub {
			my ($text, $count) = @_;

			$id = substr($text, 0, 16);
			print { $soak->{own_file} } $text or die "cannot write ids: $!\n";
			$soak->{own_ids} += $count;
		});

	return ($id, $error);
}

# The primary is up, and nobody has generated an id since: lets the clients in.
# Alone says that the first id is made before that.
sub begin_life
{
	my ($soak, $alone) = @_;
	my $primary = $soak->{primary};
	my $record = $primary->record;
	my $snapshot = $primary->snapshot;
	my $reserved = join ' ', map { $_->{reserved} } @{ $snapshot->{planes} };

	$soak->{life}++;
	die "ids were made before the server said what is reserved\n" if defined $snapshot->{head};
	die "the record says @$record, but the snapshot $reserved\n" if "@$record" ne $reserved;
	$soak->{record} = $record;
	$soak->{stat} = {};
	$soak->{first_wait_ticks} = SoakServer::ticks_to_wait($snapshot);
	open($soak->{own_file}, '>', ids_file("ids_0_$soak->{life}")) or die "cannot write ids: $!\n";
	$soak->{own_file}->autoflush(1);
	$soak->first_id if $alone && $soak->{first_wait_ticks} <= SoakServer::REACH_TICKS + 1;
	push @{ $soak->{generation_lives} }, $soak->{life};
	$soak->{clients}->open_to($primary->node, $soak->{life});
	$soak->{possible_since_s} = undef;
	$soak->{stuck_since_s} = undef;
	return;
}

# Nobody else generates: how long does it take?
sub first_id
{
	my ($soak) = @_;
	my $start_s = now_s();
	my ($id, $error) = $soak->own_id;
	my $took_s = now_s() - $start_s;
	my $wait_ms;

	die "the first id after a start was not made: $error->{message} $error->{detail}\n" if $error;
	($wait_ms) = map { $_->[0] } $soak->{primary}->query('SELECT restart_wait_time FROM sno_stat');
	die "the first id after a start waited $wait_ms ms\n" if $wait_ms > RESTART_WAIT_MAX_MS;
	$soak->{longest_restart_s} = $took_s if $soak->{longest_restart_s} < $took_s;
	$soak->{longest_restart_wait_ms} = $wait_ms if $soak->{longest_restart_wait_ms} < $wait_ms;
	$soak->{first_wait_ticks} = undef;
	return;
}

# No process of the primary generates any more: gives the ids of its life to the
# check.  Durable is what it had reserved on disk, and kept is what the server that
# goes on knows of that.
sub end_life
{
	my ($soak, $durable, $kept) = @_;
	my $life = $soak->{life};
	my $clients = $soak->{clients};

	wait_until('the clients let go of a server that is down', sub { $clients->all_held });
	close $soak->{own_file} or die "cannot write ids: $!\n";
	$soak->{totals}{$_} += $soak->{stat}{$_} // 0 foreach @counters;
	$soak->{check}->add_life(
		number => $life,
		durable => $durable,
		kept => $kept,
		files => [ glob ids_file("ids_*_$life") ]);
	return;
}

# The files of rows committed since the last promotion
sub committed_files
{
	my ($soak) = @_;
	my @files = map { glob ids_file("committed_*_$_") } @{ $soak->{generation_lives} };

	return grep { -s } @files;
}

# Counts of this life, as far as it has come
sub sample
{
	my ($soak) = @_;
	my ($row) = $soak->{primary}->query('SELECT ' . join(', ', @counters) . ' FROM sno_stat');

	@{ $soak->{stat} }{@counters} = @$row;
	return;
}

# Is everything as it should be?  And is it possible to go on?
sub look
{
	my ($soak) = @_;
	my $primary = $soak->{primary};
	my ($snapshot, $wait_ticks);

	$soak->{looked_s} = now_s();
	$_->read_log foreach $primary, $soak->{standby} // ();
	$soak->sample;
	$snapshot = $primary->snapshot;
	push @{ $soak->{snapshots} }, $snapshot;
	shift @{ $soak->{snapshots} } if @{ $soak->{snapshots} } > SNAPSHOTS_KEPT;
	$soak->check_restart if defined $snapshot->{head};

	$wait_ticks = SoakServer::ticks_to_wait($snapshot);
	$soak->{possible_since_s} = undef if $wait_ticks > 0;
	$soak->{stuck_since_s} = undef if $wait_ticks * TICK_S <= RESCUE_S;
	if ($wait_ticks == 0)
	{
		$soak->{possible_since_s} //= now_s();
		$soak->check_going_on($snapshot);
	}
	elsif ($wait_ticks * TICK_S > RESCUE_S)
	{
		$soak->{stuck_since_s} //= now_s();
		$soak->rescue($snapshot) if now_s() - $soak->{stuck_since_s} >= 1;
	}
	return;
}

# All clients came at once after a start: was the average wait as promised?
sub check_restart
{
	my ($soak) = @_;
	my $stat = $soak->{stat};

	return if !defined $soak->{first_wait_ticks} || !$stat->{restart_waits};
	die "$stat->{restart_waits} waits after a start took $stat->{restart_wait_time} ms\n"
	  if $soak->{first_wait_ticks} <= SoakServer::REACH_TICKS + 1
	  && $stat->{restart_wait_time} > RESTART_WAIT_MAX_MS * $stat->{restart_waits};
	$soak->{first_wait_ticks} = undef;
	return;
}

# An id is possible at once: is it?  And does nobody hang?
sub check_going_on
{
	my ($soak, $snapshot) = @_;
	my (undef, $error) = $soak->own_id;
	my $since_s = now_s() - STUCK_S;
	my @silent;

	die "no id can be made: $error->{message} $error->{detail}\n  snapshot before: $snapshot->{text}\n"
	  . "  now: " . $soak->{primary}->snapshot->{text} . "\n"
	  if $error && $error->{detail} !~ /ids of this time unit/;
	return if $soak->{possible_since_s} > $since_s;
	@silent = $soak->{clients}->silent_since($since_s);
	die "nothing was heard of @silent for ${\STUCK_S} s, while ids can be made\n" if @silent;
	return;
}

# Both planes are in the future, and waiting is right: moves the clock past them
sub rescue
{
	my ($soak, $snapshot) = @_;
	my $clock = $soak->{primary}->clock;
	my $ticks = 0;

	foreach my $used (map { $_->{reserved} } @{ $snapshot->{planes} })
	{
		$ticks = $used if $ticks < $used;
	}
	$soak->{centre_s} = $clock->offset_s + ($ticks - $snapshot->{clock} + 2) * TICK_S;
	$clock->set($soak->{centre_s});
	$soak->{stuck_since_s} = undef;
	$soak->count('rescues');
	return;
}

# Moves the clock of a server, within limits; true if it was moved
sub set_clock
{
	my ($soak, $server, $offset_s) = @_;
	my $before_s = $server->clock->offset_s;
	my ($min_s, $max_s) = ($soak->{centre_s} - WANDER_S, $soak->{centre_s} + WANDER_S);

	$offset_s = $min_s if $offset_s < $min_s;
	$offset_s = $max_s if $offset_s > $max_s;
	return 0 if $offset_s == $before_s;
	$server->clock->set($offset_s);
	if ($server == $soak->{primary} && $offset_s < $before_s)
	{
		$soak->{possible_since_s} = undef;
		$soak->{first_wait_ticks} = undef;
	}
	return 1;
}

# Moves it by that much, which is counted
sub step_clock
{
	my ($soak, $server, $by_s) = @_;

	$soak->count($by_s < 0 ? 'steps back' : 'jumps ahead')
	  if $soak->set_clock($server, $server->clock->offset_s + $by_s);
	return;
}

# The end: no more ids.  Then all there is to check, with progress.
sub finish
{
	my ($soak) = @_;
	my $primary = $soak->{primary};
	my $clients = $soak->{clients};
	my $until_s = now_s() + 120;
	my ($rows, $unseen);

	$clients->stop;
	while (!$clients->all_held)
	{
		die "the clients did not stop\n" if now_s() > $until_s;
		$soak->pass_time(0.1);
	}
	$soak->look;
	$soak->end_life(($primary->record) x 2);
	$soak->{rows}->add($soak->{life}, $soak->committed_files);
	($soak->{table_rows}, $unseen) = $soak->{rows}->check($primary, glob ids_file('inserted_*'));
	foreach my $server ($soak->{standby}, $primary)
	{
		$server->down('fast');
		$server->read_log;
	}
	$soak->wait_for_check;
	$soak->{check}->start_last_merge($unseen);
	$soak->wait_for_check;
	die "received were ${\$soak->received} ids\n" if $soak->received != $soak->{check}{ids};
	return;
}

sub wait_for_check
{
	my ($soak) = @_;

	while (!$soak->{check}->is_idle)
	{
		usleep(100_000);
		$soak->{progress}->($soak);
	}
	return;
}

# For the report of a failure
sub state_of_servers
{
	my ($soak) = @_;
	my $text = '';

	foreach my $server (grep { defined } $soak->{primary}, $soak->{standby})
	{
		my @rows = eval
		{
			$server->connect(5);
			$server->query(<<'EOF');
SELECT pid, application_name, state, wait_event_type, wait_event,
	now() - state_change, left(query, 80)
FROM pg_stat_activity WHERE backend_type IN ('client backend', 'parallel worker')
EOF
		};
		$text .= "sessions of " . $server->name . ($@ ? ": $@" : ":\n");
		$text .= '  ' . join(' | ', map { $_ // '' } @$_) . "\n" foreach @rows;
		$text .= eval { '  ' . $server->snapshot->{text} . "\n" } // '';
	}
	return $text;
}

1;

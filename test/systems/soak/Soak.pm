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
#	is over, read before the next id is made.
# - When the standby is promoted it may not have received the end of that WAL.
#	Received ids that the reservations which it did receive do not cover are
#	lost: they may come up again.  If no reservation was lost, no id is.  All ids
#	of rows that the standby has are covered in any case.
package Soak;

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(max min);
use POSIX qw(_exit WNOHANG);
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Utils;

use SnoTest qw(error_of ids_file);
use SoakCheck qw(check_lives check_rows sorted);
use SoakClient;
use SoakDice;
use SoakServer;

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

my @counters = qw(slots_claimed leases reservations regressions overflow_waits overflow_wait_time
  regression_waits regression_wait_time restart_waits restart_wait_time);

# With both servers, and so many clients, which are not let in yet.  The settings
# are the servers'; progress is called from time to time.
sub new($class, $settings, $clients, $ids_per_s, $progress)
{
	my $soak = bless {
		progress => $progress,
		clients => $clients,
		ids_per_s => $ids_per_s / $clients,
		running => {},				# clients by pid
		primary => SoakServer->new_primary($settings),
		life => 0,
		centre_s => 0,
		possible_since_s => undef,	# for how long has an id been possible
		stuck_since_s => undef,		# for how long will one not be for a while
		first_wait_ticks => undef,	# which a restart is expected to take
		looked_s => 0,
		lives => [],				# what check_lives() has to know of each
		snapshots => [],
		stat => {},					# of this life, when last looked
		counts => {} }, $class;		# of what happened

	$soak->{primary}->query($_) foreach
	  'CREATE TABLE made (id sno PRIMARY KEY DEFAULT sno_generate(), client int, life int)',
	  'CREATE TABLE many AS SELECT generate_series(1, 20000) AS n',
	  'VACUUM ANALYZE many';
	$soak->{standby} = $soak->{primary}->new_standby(0);
	return $soak;
}

# Starts the clients of a life.  They may connect as long as a file is there.  The
# server is stopped, killed or replaced while it is not: a client whose session is
# lost then ends.  As all of them have ended before the next life begins, the ids of
# a life are known to be complete before those of the next one are made.
sub let_clients_in($soak)
{
	append_to_file(ids_file('open'), '');
	foreach my $number (1 .. $soak->{clients})
	{
		my $pid = fork() // die "fork: $!\n";

		$soak->{running}{$pid} = $number;
		next if $pid != 0;

		# Ended together with its psql; what is set up to be done at the end of the
		# soak is not for its children
		setpgrp;
		$SIG{$_} = 'DEFAULT' foreach qw(INT TERM ALRM);
		_exit(0) if eval { SoakClient->new($number, @{$soak}{qw(life ids_per_s primary)})->run; 1 };
		append_to_file(ids_file('failures'), "client $number failed: $@");
		_exit(1);
	}
}

sub hold_clients($soak)
{
	unlink ids_file('open');
}

# How many have not ended?  Dies if one failed.
sub look_at_clients($soak)
{
	foreach my $pid (keys %{ $soak->{running} })
	{
		next if waitpid($pid, WNOHANG) != $pid;
		delete $soak->{running}{$pid};
		die -e ids_file('failures') ? slurp_file(ids_file('failures')) : "a client ended with $?\n"
		  if $? != 0;
	}
	return scalar %{ $soak->{running} };
}

# At the end of the soak, however it ended
sub kill_all($soak)
{
	kill '-KILL', keys %{ $soak->{running} };
}

# Lets time pass, and sees to everything meanwhile
sub pass_time($soak, $duration_s)
{
	my $until_s = now_s() + $duration_s;

	while ((my $left_s = $until_s - now_s()) > 0)
	{
		usleep(1e6 * min($left_s, 0.2));
		$soak->look_at_clients;
		$soak->look if now_s() - $soak->{looked_s} >= LOOK_S;
		$soak->{progress}->($soak);
	}
}

# An id of the soak's own, or what was said instead
sub own_id($soak)
{
	my ($sqlstate, $said) = error_of($soak->{primary}{node}, 'postgres', "SET sno.wait_timeout = '2s'; SELECT sno_generate()");

	return (undef, $said) if $sqlstate ne '';
	append_to_file(ids_file("ids_0_$soak->{life}"), "$said\n");
	return $said;
}

# The primary is up, and nobody has generated an id since: lets the clients in.
# Alone says that the first id is made before that.
sub begin_life($soak, $alone)
{
	my $primary = $soak->{primary};
	my $record = $primary->record;
	my $snapshot = $primary->snapshot;

	$soak->{life}++;
	die "ids were made before the server said what is reserved\n" if defined $snapshot->{head};
	die "the record says @$record, but the snapshot @{ $snapshot->{reserved} }\n"
	  if "@$record" ne "@{ $snapshot->{reserved} }";
	$soak->{record} = $record;
	$soak->{stat} = {};
	$soak->{first_wait_ticks} = SoakServer::ticks_to_wait($snapshot);
	$soak->first_id if $alone && $soak->{first_wait_ticks} <= SoakServer::REACH_TICKS + 1;
	$soak->let_clients_in;
	$soak->{possible_since_s} = undef;
	$soak->{stuck_since_s} = undef;
}

# Nobody else generates: how long does it take?
sub first_id($soak)
{
	my ($id, $said) = $soak->own_id;
	my $wait_ms;

	die "the first id after a start was not made: $said\n" if !defined $id;
	$wait_ms = $soak->{primary}->query('SELECT restart_wait_time FROM sno_stat');
	die "the first id after a start waited $wait_ms ms\n" if $wait_ms > RESTART_WAIT_MAX_MS;
	$soak->{counts}{'longest wait of a first id, ms'} =
	  max($wait_ms, $soak->{counts}{'longest wait of a first id, ms'} // 0);
	$soak->{first_wait_ticks} = undef;
}

# No process of the primary generates any more.  Durable is what it had reserved on
# disk, and kept is what the server that goes on knows of that.
sub end_life($soak, $durable, $kept)
{
	wait_until('the clients let go of a server that is down', sub { !$soak->look_at_clients });
	push @{ $soak->{lives} }, [ $soak->{life}, $durable, $kept ];
	$soak->{counts}{$_} += $soak->{stat}{$_} // 0 foreach @counters;
}

# Counts of this life, as far as it has come, and a snapshot, which is returned
sub sample($soak)
{
	my $text;

	($text, @{ $soak->{stat} }{@counters}) =
	  split /\|/, $soak->{primary}->query('SELECT sno_snapshot(), ' . join(', ', @counters) . ' FROM sno_stat');
	return SoakServer::snapshot_of($text);
}

# Is everything as it should be?  And is it possible to go on?
sub look($soak)
{
	my ($snapshot, $wait_ticks);

	$soak->{looked_s} = now_s();
	$_->read_log foreach $soak->{primary}, $soak->{standby} // ();
	$snapshot = $soak->sample;
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
}

# All clients came at once after a start: was the average wait as promised?
sub check_restart($soak)
{
	my $stat = $soak->{stat};

	return if !defined $soak->{first_wait_ticks} || !$stat->{restart_waits};
	die "$stat->{restart_waits} waits after a start took $stat->{restart_wait_time} ms\n"
	  if $soak->{first_wait_ticks} <= SoakServer::REACH_TICKS + 1
	  && $stat->{restart_wait_time} > RESTART_WAIT_MAX_MS * $stat->{restart_waits};
	$soak->{first_wait_ticks} = undef;
}

# An id is possible at once: is it?  And does nobody hang?
sub check_going_on($soak, $snapshot)
{
	my ($id, $said) = $soak->own_id;
	my @silent;

	die "no id can be made: $said\n  snapshot before: $snapshot->{text}\n"
	  . "  now: " . $soak->{primary}->snapshot->{text} . "\n"
	  if !defined $id && $said !~ /ids of this time unit/;
	return if $soak->{possible_since_s} > now_s() - STUCK_S;
	@silent = grep { (stat ids_file("out_${_}_$soak->{life}"))[9] < time - STUCK_S }
	  values %{ $soak->{running} };
	die "nothing was heard of the clients @silent for ${\STUCK_S} s, while ids can be made\n" if @silent;
}

# Both planes are in the future, and waiting is right: moves the clock past them
sub rescue($soak, $snapshot)
{
	my $clock = $soak->{primary}{clock};
	my $ticks = max(@{ $snapshot->{reserved} }) - $snapshot->{clock} + 2;

	$soak->{centre_s} = $clock->offset_s + $ticks * TICK_S;
	$clock->set($soak->{centre_s});
	$soak->{stuck_since_s} = undef;
	$soak->{counts}{rescues}++;
}

# Moves the clock of a server by that much, within limits
sub step_clock($soak, $by_s, $server = $soak->{primary})
{
	my $before_s = $server->{clock}->offset_s;
	my $offset_s = max($before_s + $by_s, $soak->{centre_s} - WANDER_S);

	$offset_s = min($offset_s, $soak->{centre_s} + WANDER_S);
	$server->{clock}->set($offset_s);
	return if $server != $soak->{primary} || $offset_s >= $before_s;
	$soak->{counts}{'steps back'}++;
	$soak->{possible_since_s} = undef;
	$soak->{first_wait_ticks} = undef;
}

# The end: no more ids.  Then all there is to check.
sub finish($soak)
{
	my $primary = $soak->{primary};

	$soak->hold_clients;
	wait_until(
		'the clients to stop',
		sub {
			$primary->query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'client%'");
			return !$soak->look_at_clients;
		});
	$soak->look;
	$soak->end_life(($primary->record) x 2);
	check_rows($primary, 0);
	foreach my $server ($soak->{standby}, $primary)
	{
		$server->down('fast');
		$server->read_log;
	}

	# Those of rows that no client saw were committed as the server went down
	@{ $soak->{counts} }{ 'ids received', 'of these lost with a promotion' } = check_lives(
		sorted('unseen', 'comm -13 ' . sorted('inserted', 'cat /dev/null ' . ids_file('inserted')) . ' ' . ids_file('table')),
		@{ $soak->{lives} });
}

# What there was, as names and values
sub figures($soak)
{
	my %counts = (%{ $soak->{counts} }, 'lives of the server' => $soak->{life});

	return map { [ $_ => $counts{$_} ] } sort keys %counts;
}

1;

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

use List::Util qw(max min sum0);
use POSIX qw(_exit WNOHANG);
use Time::HiRes qw(usleep);

use PostgreSQL::Test::Utils;

use SnoTest qw(ids_file id_count);
use SoakCheck qw(check_rows gather sorted);
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

my @counters = qw(slots_claimed leases reservations step_backs overflow_waits overflow_wait_time
  step_back_waits step_back_wait_time restart_waits restart_wait_time);

# With both servers, and so many clients, which are not let in yet.  The settings
# are the servers'; progress is called from time to time.
sub new($class, $settings, $clients, $ids_per_s, $progress)
{
	my $soak = bless {
		progress => $progress,
		check => SoakCheck->new,
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
		received => {},				# how many ids by life
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

# The ids that all clients have received, and those of the soak's own calls
sub received($soak)
{
	return sum0(values %{ $soak->{received} });
}

# An id and its line end are 17 bytes
sub ids_in($pattern)
{
	return sum0(map { -s } glob ids_file($pattern)) / 17;
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

		# What is set up to be done at the end of the soak is not for its children
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
	kill 'KILL', keys %{ $soak->{running} };
	$soak->{check}->kill_work;
}

# Lets time pass, and sees to everything meanwhile
sub pass_time($soak, $duration_s)
{
	my $until_s = now_s() + $duration_s;

	while ((my $left_s = $until_s - now_s()) > 0)
	{
		usleep(1e6 * min($left_s, 0.2));
		$soak->look_at_clients;
		$soak->{check}->look;
		$soak->look if now_s() - $soak->{looked_s} >= LOOK_S;
		$soak->{progress}->($soak);
	}
}

# An id of the soak's own, or what was said instead
sub own_id($soak)
{
	my $id;
	my $answer = $soak->{primary}{psql}->query('SELECT sno_generate()',
		sub ($text, $count) {
			$id = substr($text, 0, 16);
			print { $soak->{own_file} } $text or die "cannot write ids: $!\n";
		});

	return ($id, $answer->{text});
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
	open($soak->{own_file}, '>', ids_file("ids_0_$soak->{life}")) or die "cannot write ids: $!\n";
	$soak->{own_file}->autoflush(1);
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
	$wait_ms = $soak->{primary}->value('SELECT restart_wait_time FROM sno_stat');
	die "the first id after a start waited $wait_ms ms\n" if $wait_ms > RESTART_WAIT_MAX_MS;
	$soak->{counts}{'longest wait of a first id, ms'} =
	  max($wait_ms, $soak->{counts}{'longest wait of a first id, ms'} // 0);
	$soak->{first_wait_ticks} = undef;
}

# No process of the primary generates any more: gives the ids of its life to the
# check.  Durable is what it had reserved on disk, and kept is what the server that
# goes on knows of that.
sub end_life($soak, $durable, $kept)
{
	wait_until('the clients let go of a server that is down', sub { !$soak->look_at_clients });
	close $soak->{own_file} or die "cannot write ids: $!\n";
	$soak->{received}{ $soak->{life} } = ids_in("ids_*_$soak->{life}");
	$soak->{counts}{$_} += $soak->{stat}{$_} // 0 foreach @counters;
	$soak->{check}->add_life($soak->{life}, $durable, $kept, glob ids_file("ids_*_$soak->{life}"));
	gather(inserted => "inserted_*_$soak->{life}");
}

# Counts of this life, as far as it has come
sub sample($soak)
{
	my ($row) = $soak->{primary}->query('SELECT ' . join(', ', @counters) . ' FROM sno_stat');

	@{ $soak->{stat} }{@counters} = @$row;
}

# Is everything as it should be?  And is it possible to go on?
sub look($soak)
{
	my ($snapshot, $wait_ticks);

	$soak->{looked_s} = now_s();
	$_->read_log foreach $soak->{primary}, $soak->{standby} // ();
	$soak->sample;
	$soak->{received}{ $soak->{life} } = ids_in("ids_*_$soak->{life}");
	$snapshot = $soak->{primary}->snapshot;
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
	  if !defined $id && $said !~ /ids of this 4 ms interval/;
	return if $soak->{possible_since_s} > now_s() - STUCK_S;
	@silent = grep { (stat ids_file("ids_${_}_$soak->{life}"))[9] < time - STUCK_S }
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

# The end: no more ids.  Then all there is to check, with progress.
sub finish($soak)
{
	my $primary = $soak->{primary};
	my $until_s = now_s() + 120;
	my ($unseen, $unseen_ids);

	append_to_file(ids_file('stop'), '');
	$soak->hold_clients;
	while ($soak->look_at_clients)
	{
		die "the clients did not stop\n" if now_s() > $until_s;
		$soak->pass_time(0.1);
	}
	$soak->look;
	$soak->end_life(($primary->record) x 2);
	check_rows($primary, 0);

	# These were committed as the server went down
	$unseen = sorted('unseen', sprintf 'comm -13 %s %s',
		sorted('sorted_inserted', 'cat ' . ids_file('inserted')), ids_file('table'));
	$unseen_ids = id_count($unseen);
	foreach my $server ($soak->{standby}, $primary)
	{
		$server->down('fast');
		$server->read_log;
	}
	$soak->{check}->finish($unseen);
	while ($soak->{check}->look)
	{
		usleep(100_000);
		$soak->{progress}->($soak);
	}
	$soak->{check}{ids} -= $unseen_ids;
	die "received were ${\$soak->received} ids\n" if $soak->received != $soak->{check}{ids};
}

# What there was, as names and values
sub figures($soak)
{
	my $counts = $soak->{counts};

	return (
		[ 'ids received', $soak->received ],
		[ 'ids checked', $soak->{check}{ids} ],
		[ 'of these lost with a promotion', $soak->{check}{lost} ],
		[ 'rows received', ids_in('inserted*') ],
		[ 'lives of the server', $soak->{life} ],
		map { [ $_ => $counts->{$_} ] } sort keys %$counts);
}

1;

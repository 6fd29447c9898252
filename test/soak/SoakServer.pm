# SoakServer.pm
#	A server of the soak, primary or standby, with a clock of its own: how it
#	goes down and comes up, and what it knows.
package SoakServer;

use strict;
use warnings FATAL => 'all';

use File::Path qw(rmtree);
use IPC::SysV qw(IPC_RMID);
use JSON::PP;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use SnoClock;
use SnoTest qw(children_of ids_file);
use SoakConnection;
use SoakTime;

# The replication origin that keeps the record, and the ticks of its unit
use constant ORIGIN => 0xF510;
use constant RECORD_UNIT_BITS => 7;

# How far a reservation can be ahead of the clock it was made at: 1 s, and the
# rest of the record's unit
use constant REACH_TICKS => 250 + 127;
use constant SMALL_STEP_TICKS => 5;

my $number = 0;

# pg_ctl takes its patience from there
$ENV{PGCTLTIMEOUT} = PATIENCE_S;

sub user
{
	return getpwuid($<);
}

# The first one, with the settings in test.conf
sub new_primary
{
	my ($class, $settings, $offset_s) = @_;
	my $server = $class->another;

	$server->{clock}->set($offset_s);
	$server->{node} = SnoTest::new_server(
		$server->{name},
		settings => $settings,
		clock => $server->{clock},
		init => { allows_streaming => 1 });

	# WAL is on disk when somebody has a need of that, and not much before; shared
	# memory lies in the data folder, and goes with it if the server is killed
	$server->{node}->append_conf('postgresql.conf', <<'EOF');
restart_after_crash = on
wal_writer_delay = 10s
dynamic_shared_memory_type = mmap
shared_buffers = 32MB
max_wal_size = 256MB
wal_keep_size = 512MB
wal_sender_timeout = 0
wal_receiver_timeout = 0
log_min_error_statement = panic
log_replication_commands = off
EOF
	$server->{node}->stop;
	$server->start;
	return $server;
}

sub another
{
	my ($class) = @_;
	my $name = 'server' . ++$number;

	return bless {
		name => $name,
		clock => SnoClock->new($name),
		log_read => 0,
		killed => {} }, $class;
}

# A standby of this primary, started, by the clock that is that far off
sub new_standby
{
	my ($primary, $offset_s) = @_;
	my $standby = ref($primary)->another;

	$standby->{clock}->set($offset_s);
	$standby->{node} = PostgreSQL::Test::Cluster->new($standby->{name});
	$primary->{node}->backup($standby->{name});
	$standby->{node}->init_from_backup($primary->{node}, $standby->{name}, has_streaming => 1);
	rmtree($primary->{node}->backup_dir . "/$standby->{name}");
	$standby->start;
	return $standby;
}

sub name
{
	my ($server) = @_;

	return $server->{name};
}

sub node
{
	my ($server) = @_;

	return $server->{node};
}

sub clock
{
	my ($server) = @_;

	return $server->{clock};
}

sub start
{
	my ($server) = @_;
	my $started = $server->{clock}->run(sub { $server->{node}->start(fail_ok => 1) });

	die "$server->{name} did not start\n" if !$started;
	$server->connect;
	return;
}

# Connects anew, when the server is ready
sub connect
{
	my ($server, $timeout_s) = @_;

	$server->{connection} = wait_until(
		"a connection to $server->{name}",
		sub {
			my $connection = SoakConnection->new(
				host => $server->{node}->host,
				port => $server->{node}->port,
				user => user(),
				name => 'soak',
				options => '-c statement_timeout=0 -c sno.wait_timeout=2s');

			return $connection->is_lost ? undef : $connection;
		},
		$timeout_s);
	return;
}

# Rows of columns; with the code, ids go there instead (see SoakConnection)
sub query
{
	my ($server, $sql, $take_ids) = @_;
	my $answer = $server->{connection}->query($sql, $take_ids);
	my $error = $answer->{error};

	die "$server->{name}: $sql: $error->{sqlstate} $error->{message} $error->{detail}\n" if $error;
	die "$server->{name} closed the connection\n" if $server->{connection}->is_lost;
	return @{ $answer->{rows} };
}

# The one value of the one row
sub value
{
	my ($server, $sql) = @_;

	return ($server->query($sql))[0][0];
}

# Sends a statement that may fail; the error, if there is one
sub try
{
	my ($server, $sql, $take_ids) = @_;
	my $answer = $server->{connection}->query($sql, $take_ids);

	die "$server->{name} closed the connection\n" if $server->{connection}->is_lost;
	return $answer->{error};
}

# Do parallel workers live by the server's clock?  Up to 15 the postmaster starts
# them from within a signal handler, and thus from within select(), for whose
# duration libfaketime leaves the time alone: in the postmaster, and for ever in
# what it starts there.
sub workers_have_clock
{
	my ($server) = @_;

	return $server->{node}->pg_version >= 16;
}

# down('fast' | 'immediate'), or down('kill', FATE): by a kill -9 of the
# postmaster, and of its children if their fate is "killed", while with "left"
# these notice by themselves, and some go on for a while.  None is left when this
# returns.
sub down
{
	my ($server, $how, $fate) = @_;

	if ($how eq 'kill')
	{
		my $postmaster = $server->{node}->{_pid};
		my @children;

		# Once it is stopped it starts no more of them
		kill 'STOP', $postmaster;
		@children = children_of($postmaster);
		$server->{node}->kill9;
		kill 'KILL', @children if $fate eq 'killed';

		# A zombie still counts to the next postmaster, which finds its lock file
		wait_until("the processes of $server->{name} end",
			sub { !grep { kill 0, $_ } @children, $postmaster });
	}
	else
	{
		die "$server->{name} did not stop\n"
		  if !$server->{node}->stop($how, fail_ok => 1);
	}
	$server->{connection} = undef;
	return;
}

# Kills a process of the server, upon which it ends all others and starts over.
# The fraction chooses among those that a client is behind.  False if there was
# none.
sub kill_backend
{
	my ($server, $fraction) = @_;
	my @pids = map { $_->[0] } $server->query(<<'EOF');
SELECT pid FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'parallel worker', 'walsender')
ORDER BY backend_type, application_name, pid
EOF

	while (@pids)
	{
		my ($pid) = splice(@pids, $fraction * @pids, 1);
		my $state;

		# One that ends by itself meanwhile is a zombie for a moment, to which a
		# signal can be sent, too; one that has stopped is not
		next if !kill 'STOP', $pid;
		wait_until("process $pid of $server->{name} stops",
			sub { ($state) = SnoTest::process($pid); return $state =~ /[TZ]/ });
		next if $state ne 'T';
		$server->{killed}{$pid} = 1;
		kill 'KILL', $pid;
		wait_until("$server->{name} notices that a process was killed",
			sub { $server->{connection}->query('SELECT'); $server->{connection}->is_lost });
		$server->connect;
		return 1;
	}
	return 0;
}

# What the durable record says: up to which tick each plane is reserved.  Not by
# a function of the extension.
sub record
{
	my ($server) = @_;
	my ($row) = $server->query(
		'SELECT remote_lsn FROM pg_show_replication_origin_status() WHERE local_id = ' . ORIGIN);

	return $row ? record_of($row->[0]) : [ record_ticks(0), record_ticks(0) ];
}

# As a location in the WAL: plane 1, plane 0
sub record_of
{
	my ($location) = @_;
	my ($high, $low) = split m!/!, $location;

	return [ record_ticks(hex $low), record_ticks(hex $high) ];
}

sub record_ticks
{
	my ($units) = @_;

	return (($units + 1) << RECORD_UNIT_BITS) - 1;
}

# {clock}, {head}, {planes} and so on, and {text}, what it was made of
sub snapshot
{
	my ($server) = @_;
	my $text = $server->value('SELECT sno_snapshot()');

	return { %{ decode_json($text) }, text => $text };
}

# How many ticks will a call wait that comes now, if the clock does not step and
# nobody else generates?  By the rules of the design, from a snapshot.
sub ticks_to_wait
{
	my ($snapshot) = @_;
	my $now = $snapshot->{clock};
	my $head = $snapshot->{head};
	my $last;

	return ticks_to_load($now, map { $_->{reserved} } @{ $snapshot->{planes} })
	  if !defined $head;
	return 0 if $now >= $head->{tick};
	return $head->{tick} - $now if $head->{tick} - $now <= SMALL_STEP_TICKS;
	$last = $snapshot->{planes}[ 1 - $head->{plane} ]{last};
	return 0 if $now > $last;
	return ($head->{tick} <= $last ? $head->{tick} : $last + 1) - $now;
}

# The same after a start.  As the rules are gone through again and again, it is
# the other plane's turn only until the recent one comes within reach.
sub ticks_to_load
{
	my ($now, @reserved) = @_;
	my ($other, $recent) = sort { $a <=> $b } @reserved;
	my $until_other = $now > $other ? 0 : $other + 1 - $now;
	my $until_reach = $recent - REACH_TICKS - $now;

	return 0 if $now > $recent;
	return $until_other < $until_reach ? $until_other : $recent + 1 - $now;
}

# What a server that is down has in its WAL after that byte, the last that another
# server has received of it, in that file: {reservations} and {commits}, how many,
# and {record}, the last reservation, if there is one.
#
# pg_waldump is told where to begin and to end.  Left to itself it learns the size
# of segments from any file it comes upon, which may be one made in advance, all
# zeros, and fails if WAL ends where the next file would begin.
sub wal_after
{
	my ($server, $byte, $file) = @_;
	my %found = (reservations => 0, commits => 0);
	my $errors = ids_file('waldump_errors');
	my $origin = ORIGIN;
	my $directory = $server->{node}->data_dir . '/pg_wal';
	my $timeline = substr($file, 0, 8);
	my ($last) = reverse sort grep { m!/[0-9A-F]{24}\z! } glob "$directory/$timeline*";
	my $said;

	open(my $dump, '-|', "pg_waldump -s $byte $directory/$file $last 2>$errors")
	  or die "pg_waldump: $!\n";
	while (my $line = <$dump>)
	{
		if ($line =~ m!rmgr: ReplicationOrigin .* set $origin; lsn ([0-9A-F]+/[0-9A-F]+)!)
		{
			$found{reservations}++;
			$found{record} = record_of($1);
		}
		$found{commits}++ if $line =~ /rmgr: Transaction .* desc: COMMIT/;
	}

	# WAL ends in an error, or with the last file
	return \%found if close $dump;
	$said = slurp_file($errors);
	die "pg_waldump: $said"
	  if $said !~ /could not find a valid record after|error in WAL record at/;
	return \%found;
}

# Dies if the server's log has something that nobody here caused
sub read_log
{
	my ($server) = @_;

	open(my $log, '<', $server->{node}->logfile) or die "$server->{name}: $!\n";
	seek($log, $server->{log_read}, 0);
	while (my $line = <$log>)
	{
		last if $line !~ /\n\z/;
		$server->{log_read} = tell $log;
		die "$server->{name}: $line" if $line =~ /PANIC: |TRAP: /;
		die "$server->{name}: $line"
		  if $line =~ /\(PID (\d+)\) was terminated by signal/ && !$server->{killed}{$1};
	}
	close $log;
	return;
}

# A server that is down and not needed any more.  If it was killed it left a lock
# file, whose seventh line tells of a piece of shared memory.
sub throw_away
{
	my ($server) = @_;
	my $lock_file = $server->{node}->data_dir . '/postmaster.pid';

	if (-e $lock_file)
	{
		my (undef, $id) = split ' ', (split /\n/, slurp_file($lock_file))[6];

		shmctl($id, IPC_RMID, 0);
	}
	$server->{node}->clean_node;
	return;
}

1;

# SoakServer.pm
#	A server of the soak, primary or standby, with a clock of its own: how it
#	goes down and comes up, and what it knows.
package SoakServer;

use v5.36;
use warnings FATAL => 'all';

use File::Path qw(rmtree);
use JSON::PP;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use SnoClock;
use SnoTest qw(children_of ids_file);
use SoakPsql;
use SoakDice;

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

# The first one, with the settings in test.conf
sub new_primary($class, $settings)
{
	my $server = $class->another(0);

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

sub another($class, $offset_s)
{
	my $name = 'server' . ++$number;
	my $clock = SnoClock->new($name);

	$clock->set($offset_s);
	return bless { name => $name, clock => $clock, log_read => 0, killed => {} }, $class;
}

# A standby of this primary, started, by the clock that is that far off
sub new_standby($primary, $offset_s)
{
	my $standby = ref($primary)->another($offset_s);

	$standby->{node} = PostgreSQL::Test::Cluster->new($standby->{name});
	$primary->{node}->backup($standby->{name});
	$standby->{node}->init_from_backup($primary->{node}, $standby->{name}, has_streaming => 1);
	rmtree($primary->{node}->backup_dir . "/$standby->{name}");
	$standby->start;
	return $standby;
}

sub start($server)
{
	my $started = $server->{clock}->run(sub { $server->{node}->start(fail_ok => 1) });

	die "$server->{name} did not start\n" if !$started;
	$server->connect;
}

# Connects anew, when the server is ready
sub connect($server)
{
	$server->{psql} = wait_until(
		"a session of $server->{name}",
		sub {
			my $psql = SoakPsql->new($server->{node}, 'soak',
				'-c statement_timeout=0 -c sno.wait_timeout=2s');

			return $psql->{lost} ? undef : $psql;
		});
}

# Rows of columns
sub query($server, $sql)
{
	my $answer = $server->{psql}->query($sql);

	die "$server->{name}: $sql: $answer->{text}\n" if $answer->{error} || $server->{psql}{lost};
	return map { [ split /\|/, $_, -1 ] } split /\n/, $answer->{text};
}

# The one value of the one row
sub value($server, $sql)
{
	return ($server->query($sql))[0][0];
}

# down('fast' | 'immediate'), or down('kill', FATE): by a kill -9 of the
# postmaster, and of its children if their fate is "killed", while with "left"
# these notice by themselves, and some go on for a while.  None is left when this
# returns.
sub down($server, $how, $fate = undef)
{
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
	elsif (!$server->{node}->stop($how, fail_ok => 1))
	{
		die "$server->{name} did not stop\n";
	}
	$server->{psql}->quit;
}

# Kills a process of the server, upon which it ends all others and starts over.
# The fraction chooses among those that a client is behind.
sub kill_backend($server, $fraction)
{
	wait_until(
		"$server->{name} notices that a process was killed",
		sub {
			my @pids = split /\n/, $server->{psql}->query(<<'EOF')->{text};
SELECT pid FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND backend_type IN ('client backend', 'parallel worker', 'walsender')
ORDER BY backend_type, application_name, pid
EOF
			my $pid = $pids[ $fraction * @pids ];

			return 1 if $server->{psql}{lost};
			$server->{killed}{$pid} = 1 if $pid && kill 'KILL', $pid;
			return 0;
		});
	$server->connect;
}

# What the durable record says: up to which tick each plane is reserved.  Not by
# a function of the extension.
sub record($server)
{
	return record_of($server->value("SELECT coalesce(max(remote_lsn), '0/0')"
			  . ' FROM pg_show_replication_origin_status() WHERE local_id = ' . ORIGIN));
}

# As a location in the WAL: plane 1, plane 0
sub record_of($location)
{
	return [ map { ((hex($_) + 1) << RECORD_UNIT_BITS) - 1 } reverse split m!/!, $location ];
}

# {clock}, {head}, {planes} and so on; {text}, what it was made of, and {reserved},
# the last tick of each plane that is
sub snapshot($server)
{
	my $text = $server->value('SELECT sno_snapshot()');
	my $snapshot = decode_json($text);

	return { %$snapshot, text => $text,
		reserved => [ map { $_->{reserved} } @{ $snapshot->{planes} } ] };
}

# How many ticks will a call wait that comes now, if the clock does not step and
# nobody else generates?  By the rules of the design, from a snapshot.
sub ticks_to_wait($snapshot)
{
	my ($now, $head) = @{$snapshot}{qw(clock head)};
	my $last;

	return ticks_to_load($now, @{ $snapshot->{reserved} }) if !defined $head;
	return 0 if $now >= $head->{tick};
	return $head->{tick} - $now if $head->{tick} - $now <= SMALL_STEP_TICKS;
	$last = $snapshot->{planes}[ 1 - $head->{plane} ]{last};
	return 0 if $now > $last;
	return ($head->{tick} <= $last ? $head->{tick} : $last + 1) - $now;
}

# The same after a start.  As the rules are gone through again and again, it is
# the other plane's turn only until the recent one comes within reach.
sub ticks_to_load($now, @reserved)
{
	my ($other, $recent) = sort { $a <=> $b } @reserved;
	my $until_other = $now > $other ? 0 : $other + 1 - $now;
	my $until_reach = $recent - REACH_TICKS - $now;

	return 0 if $now > $recent;
	return $until_other < $until_reach ? $until_other : $recent + 1 - $now;
}

# Dies if the server's log has something that nobody here caused
sub read_log($server)
{
	open(my $log, '<', $server->{node}->logfile) or die "$server->{name}: $!\n";
	seek($log, $server->{log_read}, 0);
	while (my $line = <$log>)
	{
		last if $line !~ /\n\z/;
		$server->{log_read} = tell $log;
		die "$server->{name}: $line"
		  if $line =~ /PANIC: |TRAP: /
		  || ($line =~ /\(PID (\d+)\) was terminated by signal/ && !$server->{killed}{$1});
	}
}

1;

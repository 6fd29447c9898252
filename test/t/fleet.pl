# fleet.pl
#	Programs and servers that have their partitions from one registry, and look at
#	what it tells them, make no id twice: while programs are killed and held up past
#	their expiry, servers are stopped and killed, all get other clocks, and the
#	registry crashes, fails over, moves, and is restored from a backup that has
#	forgotten leases.  Each server goes on after each of these, and when it has ended,
#	its record covers the last ids that clients have.  Who reads new rows there, in
#	order or at once, gets each once, though transactions stay prepared over the end of
#	a server.
#
# MINUTES=n goes on for so long, and keeps every id, some 100 MB a minute; without
# it, each act comes once at least.  SEED=n repeats the order of acts and their
# amounts, not their timing.
use strict;
use warnings FATAL => 'all';

use List::Util qw(max shuffle sum0);
use POSIX ();
use Test::More;
use Time::HiRes qw(time usleep);

use SnoClock;
use SnoLoad;
use SnoReaders;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	PROGRAMS => 20,
	SERVERS => 3,
	PARTITIONS => 14,			# for the programs
	TTL_S => 5,
	MARGIN_S => 2,				# the registry's clock is off by half of it at most
	ACT_IDS => 60_000,			# between two acts
};

# Readers of a server, by sno.tick_tock: recipe, and in which order it reads
my %readers = (
	off => { one => [ 'in order', 'ids' ], two => [ 'both', 'planes' ], soon => ['at once'] },
	on => { two => [ 'both', 'planes' ], soon_of_two => ['both, at once'] });

# Of each of three sessions of a server; of the others, one prepares, and some read
my @loads = (
	'SELECT sno_generate_many(300)',
	'SELECT unnest(sno_generate_array(300))',
	'SELECT sno_generate() FROM generate_series(1, 300)');

# A program asks for a partition under its name and generation, renews it, and makes
# ids by the clock, in text form.  It looks for another registry when it gets no answer.
# What it is told goes to its log: time, partition, usable_from, expires.
set_file(ids_file('program.pl'), <<'EOP');
use strict;
use warnings;
use List::Util qw(max);
use Time::HiRes qw(time usleep);
my ($where, $name, $ttl_s, $output, $stop, $is_careful) = @ARGV;
my $instance = "$$." . time;
my $parent = getppid;
my @character = (2 .. 9, 'a' .. 'x');
my @pair = map { $character[ $_ >> 5 ] . $character[ $_ & 31 ] } 0 .. 1023;
my ($tick, $sequence, $asked, $connstr, $generation) = (0, 0, 0);
my ($partition, $usable, $expires);

sub forty_bits
{
	my ($bits) = @_;

	return join '', map { $pair[ ($bits >> $_) & 1023 ] } 30, 20, 10, 0;
}

# Times are in ticks
sub ask
{
	my ($call, $arguments) = @_;
	my $answer;

	if (!defined $connstr)
	{
		open my $file, '<', $where or die;
		chomp(($connstr, $generation) = <$file>);
	}
	$asked = time;
	$answer = qx{psql -XAtq -F ' ' -v VERBOSITY=sqlstate -d "$connstr" -c "
		SELECT partition, (extract(epoch FROM usable_from) * 250)::bigint - 315576000000, (extract(epoch FROM expires) * 250)::bigint - 315576000000
		FROM registry.sno_registry_$call('$name, $generation', $arguments, instance => '$instance')" 2>&1};
	chomp $answer;
	print {*LOG} "$call ", $answer =~ s/.*(ERROR|error|FATAL): +/refused /sr =~ tr/\n/;/r, "\n";
	return (($partition, $usable, $expires) = ($1, $2, $3)) if $answer =~ /(?:^|\n)(\d+) (\d+) (\d+)$/;
	$connstr = undef;
	return;
}
open my $made, '>', $output or die;
open *LOG, '>', "$output.log" or die;
*LOG->autoflush(1);
while (!-e $stop && getppid == $parent)
{
	my $now = int(time * 250) - 315576000000;
	my $may_ask = abs(time - $asked) > 0.1 * $ttl_s;

	if (!defined $partition || $is_careful && $now >= $expires)
	{
		$partition = undef;
		ask('acquire', "1, '$ttl_s s'") if $may_ask;
		usleep 20_000 if !defined $partition;
	}
	elsif ($is_careful && $now > $expires - 125 * $ttl_s && $may_ask)
	{
		ask('renew', "'$ttl_s s'");
	}
	elsif ($now >= $usable)
	{
		# Its clock may have been read before it was held up
		($tick, $sequence) = (max($now, $tick + 1), 0) if $now > $tick || $sequence > 65_000;
		syswrite $made, join '', map { forty_bits($tick << 1) . forty_bits($partition << 16 | $sequence++) . "\n" } 1 .. 10
		  if $tick < $expires || !$is_careful;
		usleep 4000;
	}
	else
	{
		usleep 4000;
	}
}
EOP

my $begin_s = time;
my $where = ids_file('registry');
my $stop = ids_file('stop');
my %settings = (max_connections => 100, wal_keep_size => '512MB');
my %happened;
my ($registries, $databases, $generation, $prepared, $readers) = (0, 0, 1, 0, 0);
my ($registry, $standby, $database, @files);
my (%program, %server);

sub pick
{
	return $_[ rand(@_) ];
}

sub log_uniform
{
	my ($min, $max) = @_;

	return pick(-1, 1) * $min * ($max / $min)**rand();
}

#
# The registry, whose owner is an ordinary role
#
sub connstr_of
{
	my ($server, $name) = @_;

	return $server->connstr($name) =~ s/'//gr . ' user=keeper';
}

sub in_registry
{
	my ($sql) = @_;

	return $registry->safe_psql($database, $sql, extra_params => [ '-U', 'keeper' ]);
}

# wait_for_registry(PATTERN, SQL): until the answer is like that, which is returned;
# programs go on meanwhile
sub wait_for_registry
{
	my ($pattern, $sql) = @_;
	my $attempts = 600;
	my $answer;

	while (($answer = in_registry($sql)) !~ $pattern)
	{
		die "not what is waited for: $sql" if $attempts-- == 0;
		let_programs_go_on();
		usleep 100_000;
	}
	return $answer;
}

# From now on, programs that get no answer find it
sub announce_registry
{
	set_file($where, connstr_of($registry, $database) . "\n$generation\n");
	return;
}

sub new_database
{
	my $name = 'fleet' . ++$databases;

	query($registry, "CREATE DATABASE $name OWNER keeper");
	$registry->safe_psql($name, 'CREATE SCHEMA registry; CREATE EXTENSION sno_registry SCHEMA registry; ALTER DATABASE ' . $name . ' SET search_path = registry', extra_params => [ '-U', 'keeper' ]);
	return $name;
}

# copy_of_registry([OPTIONS]): not started yet, with another clock
sub copy_of_registry
{
	my (@options) = @_;
	my $server = PostgreSQL::Test::Cluster->new('registry' . ++$registries);

	$registry->backup($server->name);
	$server->init_from_backup($registry, $server->name, @options);
	$server->{clock} = SnoClock->new($server->name);
	$server->{clock}->set(MARGIN_S * (rand() - 0.5));
	write_settings($server, \%settings);
	return $server;
}

# A standby that has each grant before its owner does
sub add_standby
{
	$standby = copy_of_registry(has_streaming => 1);
	$standby->{clock}->run(sub { $standby->start });
	$registry->wait_for_catchup($standby);
	write_settings($registry, { %settings, synchronous_standby_names => '*' });
	$registry->reload;
	return;
}

sub crash_registry
{
	crash($registry);
	$registry->{clock}->run(sub { $registry->start });
	return;
}

sub fail_over
{
	crash($registry);
	$registry->clean_node;
	$registry = $standby;
	$registry->promote;
	announce_registry();
	add_standby();
	return;
}

# As the page says.  Programs go on at the old one, which refuses them.
sub move_registry
{
	my $new = new_database();
	my $script = ids_file('move.sh');

	set_file($script, page_block('sql/registry/README.md', '# move'));
	output_of('OLD="' . connstr_of($registry, $database) . '" NEW="' . connstr_of($registry, $new) . "\" bash -eu -o pipefail $script");
	wait_for_lines(ACT_IDS);
	$database = $new;
	announce_registry();
	return;
}

# The same: it is closed before anyone finds it, gets what the servers use, and is
# opened when all leases that it has forgotten have expired
sub restore_registry
{
	my $copy = copy_of_registry();
	my $leases = q(FROM sno_registry WHERE state = 'in use' AND expires IS NOT NULL);
	my ($last, $lost_s);

	# Where nothing was renewed in time, the next lease
	$last = wait_for_registry(qr/./, "SELECT max(expires) $leases");

	# All leases were renewed, or acquired, after those that it knows had expired
	wait_for_registry(qr/^t$/, "SELECT min(expires) > timestamptz '$last' + interval '${\TTL_S} s' $leases");
	crash($registry);
	$lost_s = time;
	$standby->stop('immediate');
	$_->clean_node foreach $registry, $standby;
	$registry = $copy;
	$registry->{clock}->run(sub { $registry->start });
	in_registry(q(SELECT sno_registry_close('being rebuilt'))) foreach 1 .. 2;
	announce_registry();
	in_registry('BEGIN; SELECT sno_registry_open();'
		  . join('', map { "SELECT sno_registry_adopt('$_', $server{$_}{partition}, 16);" } sort keys %server)
		  . q(SELECT sno_registry_close('being rebuilt'); COMMIT));
	usleep 100_000 while time < $lost_s + TTL_S + MARGIN_S;
	$generation++;
	announce_registry();
	in_registry("SELECT sno_registry_open('${\MARGIN_S} s')");
	add_standby();
	return;
}

#
# Programs
#
sub start_program
{
	my ($n) = @_;
	my $program = $program{$n} //= { clock => SnoClock->new("program_$n") };

	$program->{file} = ids_file('made_' . @files);
	push @files, $program->{file};
	$program->{pid} = fork // die;
	return if $program->{pid} != 0;
	$program->{clock}->run(sub {
			exec($^X, ids_file('program.pl'), $where, "program $n", TTL_S, $program->{file}, $stop, $program->{is_careless} ? 0 : 1) or POSIX::_exit(1);
		});
}

# Its last line may be cut off
sub kill_program
{
	my $n = pick(grep { !$program{$_}{held_up_s} } sort keys %program);

	kill 'KILL', $program{$n}{pid};
	waitpid $program{$n}{pid}, 0;
	truncate $program{$n}{file}, 17 * int((-s $program{$n}{file} // 0) / 17);
	start_program($n);
	return;
}

sub hold_up_program
{
	my $n = pick(grep { !$program{$_}{held_up_s} } sort keys %program);

	kill 'STOP', $program{$n}{pid};
	$program{$n}{held_up_s} = time;
	return;
}

# Those that were held up for longer than their lease
sub let_programs_go_on
{
	foreach my $program (grep { time - ($_->{held_up_s} // time) > 1.5 * TTL_S } values %program)
	{
		kill 'CONT', $program->{pid};
		delete $program->{held_up_s};
	}
	return;
}

sub stop_programs
{
	set_file($stop, '');
	kill 'CONT', $_->{pid} foreach values %program;
	waitpid delete $_->{pid}, 0 foreach values %program;
	unlink $stop;
	return;
}

#
# Servers, by the script of the page
#
sub run_script
{
	my ($name, $instance) = @_;

	$ENV{SNO_REGISTRY} = connstr_of($registry, $database);
	return system("sh ${\ids_file('sno-partition')} $name ${\ids_file($name)}.conf $instance 2>>${\ids_file($name)}.log") == 0;
}

# Whether or not the registry answers, it has the number that it had
sub start_server
{
	my ($name) = @_;
	my $server = $server{$name};

	run_script($name, "machine-$name") or die "$name has no partition";
	($server->{partition}) = slurp_file(ids_file($name) . '.conf') =~ /^sno.partition = (\d+)$/;
	$server->{clock}->run(sub { $server->{node}->start });
	start_server_sessions($server);
	return;
}

# They sleep between statements, or all that is kept would be their ids
sub start_server_sessions
{
	my ($server) = @_;
	my $node = $server->{node};
	my @last = map { output_of("tail -n 1 $_") } @{ $server->{files} // [] };
	my @older = prepared_in($node);
	my @scripts = ((map { "COPY ($_) TO STDOUT;\n\\! sleep 0.04\n" x 50_000 } @loads), preparing_script());

	is_reserved($node, $node->name . ': the last ids are covered by the record', @last) if @last;
	$server->{files} = [ map { ids_file('made_' . (@files + $_)) } 0 .. $#scripts ];
	push @files, @{ $server->{files} };
	$server->{sessions} = [ start_endless($node,
			(map { [ $server->{files}[$_], "SET sno.wait_timeout = 0;\n$scripts[$_]" ] } 0 .. $#scripts),
			map { [ ids_file('reader_' . $readers++), "\\echo reads\n" . polls(20_000, 0.02, $_) ] } polls_of($server)) ];
	$node->poll_query_until('postgres', 'SELECT count(*) > 0 FROM pg_prepared_xacts') or die 'nothing is prepared';
	return if !@older;
	is_error($node, 'postgres', 'SELECT sno_resolved(sno_min(), false)', '55000', qr/DETAIL:  ${\scalar @older} prepared/, $node->name . ': readers are refused for what was prepared before');
	query($node, pick(qw(COMMIT ROLLBACK)) . " PREPARED '$_'") foreach @older;
	is((error_of($node, 'postgres', 'SELECT sno_resolved(sno_min(), false)'))[0], '', $node->name . ': until it has ended');
	return;
}

sub prepared_in
{
	my ($node) = @_;

	return split /\n/, query($node, 'SELECT gid FROM pg_prepared_xacts');
}

# Rows of transactions of which one at least is prepared at any time
sub preparing_script
{
	my @gids = map { 'fleet' . ++$prepared } 0 .. 10_000;

	return join '', map { <<"EOF" . ($_ > 1 ? pick(qw(COMMIT COMMIT ROLLBACK)) . " PREPARED '$gids[$_ - 1]';\n" : '') } 1 .. $#gids;
BEGIN;
INSERT INTO event SELECT FROM generate_series(1, 30) RETURNING id;
PREPARE TRANSACTION '$gids[$_]';
\\! sleep 0.04
EOF
}

sub polls_of
{
	my ($server) = @_;
	my $readers = $readers{ $server->{tick_tock} };

	return map { poll($readers->{$_}[0], $_) } sort keys %$readers;
}

# When all transactions have ended
sub test_readers
{
	my ($server) = @_;
	my $node = $server->{node};
	my $readers = $readers{ $server->{tick_tock} };

	query($node, "COMMIT PREPARED '$_'") foreach prepared_in($node);
	read_all($node, (polls_of($server)) x 2);
	is_read_once($node, $_, $node->name . ", sno.tick_tock = $server->{tick_tock}, $readers->{$_}[0]", $readers->{$_}[1]) foreach sort keys %$readers;
	unlike(slurp_file($node->logfile), qr/cursor is ahead|deadlock/, $node->name . ': no cursor is ahead, and no reader waits for another');
	note $node->name . ': ' . query($node, 'SELECT count(*) FROM event') . ' rows';
	return;
}

sub new_fleet_server
{
	my ($name, $tick_tock) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', <<"EOF");
log_statement = none
restart_after_crash = on
wal_writer_delay = 10s
shared_preload_libraries = 'sno'
max_prepared_transactions = 10
include '${\ids_file($name)}.conf'
sno.sequence_max = ${\pick(255, 1023)}
sno.partition_count = ${\pick(1, 3)}
sno.lease_limit = ${\pick(64, 1, 4096)}
sno.tick_tock = $tick_tock
EOF
	$server{$name} = { node => $node, clock => SnoClock->new($name), tick_tock => $tick_tock };
	run_script($name, "machine-$name") or die "$name gets no partition";
	$node->start;
	query($node, 'CREATE EXTENSION sno; CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');
	new_readers($node, 'in order' => [qw(one soon)], both => [qw(two soon_of_two)]);
	$node->stop;
	start_server($name);
	return;
}

# It starts with the clock where it was, or a little before
sub end_server
{
	my $name = pick(sort keys %server);
	my ($node, $clock) = @{ $server{$name} }{qw(node clock)};
	my $mode = pick(qw(kill immediate fast));

	$clock->stand_still(sub { $mode eq 'kill' ? crash($node) : $node->stop($mode) });
	$clock->set($clock->offset_s - pick(0, 0, 0.1, 1));
	end_sessions(@{ $server{$name}{sessions} });
	start_server($name);
	return;
}

# Ahead by two hours and back by one, as every tick can be used only twice
sub step_server_clock
{
	my $clock = $server{ pick(sort keys %server) }{clock};

	if (rand(3) < 1)
	{
		$clock->set($clock->offset_s + 7200);
		wait_for_lines(ACT_IDS);
		$clock->set($clock->offset_s - 3600);
	}
	$clock->set($clock->offset_s + log_uniform(0.01, 1));
	return;
}

# Another process of the server than the postmaster dies, and it recovers by itself
sub kill_backend
{
	my $server = $server{ pick(sort keys %server) };
	my @pids = split /\n/, query($server->{node}, "SELECT pid FROM pg_stat_activity WHERE application_name = 'load'");

	kill(9, pick(@pids)) == 1 or die 'no backend to kill';
	end_sessions(@{ $server->{sessions} });
	$server->{node}->poll_query_until('postgres', 'SELECT true') or die 'the server does not recover';
	start_server_sessions($server);
	return;
}

#
# What happens
#
# Until all of them have made this many ids together, and each server some
sub wait_for_lines
{
	my ($ids) = @_;
	my $until = $ids + lines_made(@files);
	my @running = grep { $_->{files} } values %server;
	my @before = map { lines_made(@{ $_->{files} }) } @running;
	my $end = time + 180;

	while (lines_made(@files) < $until || grep { lines_made(@{ $running[$_]{files} }) == $before[$_] } keys @running)
	{
		die 'no more ids are made' if time > $end;
		let_programs_go_on();
		usleep 50_000;
	}
	return;
}

sub lines_made
{
	return sum0(map { -s } grep { -e } @_) / 17;
}

my %acts = (
	'a program is killed' => [ 3, \&kill_program ],
	'a program is held up past its expiry' => [ 3, \&hold_up_program ],
	q(a program's clock is moved) => [ 4, sub { $program{ pick(sort keys %program) }{clock}->set(pick(log_uniform(0.01, 3), log_uniform(0.01, 3), log_uniform(3, 3600))) } ],
	q(a server's clock is moved) => [ 3, \&step_server_clock ],
	q(the registry's clock is moved) => [ 2, sub { $registry->{clock}->set(MARGIN_S * (rand() - 0.5)) } ],
	'a server ends' => [ 3, \&end_server ],
	'a checkpoint' => [ 1, sub { query($server{ pick(sort keys %server) }{node}, 'CHECKPOINT') } ],
	'a backend of a server is killed' => [ 1, \&kill_backend ],
	'a server ends without the registry' => [ 1, sub { crash($registry); end_server(); $registry->{clock}->run(sub { $registry->start }) } ],
	'the registry crashes' => [ 1, \&crash_registry ],
	'the registry fails over' => [ 1, \&fail_over ],
	'the registry moves' => [ 1, \&move_registry ],
	'the registry is restored from an old backup' => [ 1, \&restore_registry ]);

# If an act dies; one that is held up would stay
END
{
	my $status = $?;

	kill 'KILL', grep { defined } map { $_->{pid} } values %program;
	$? = $status;
}

seed_random();
$registry = new_server('registry0', clock => (my $clock = SnoClock->new('registry0')), init => { allows_streaming => 1 }, settings => \%settings);
$registry->{clock} = $clock;
query($registry, 'CREATE ROLE keeper LOGIN');
set_file(ids_file('sno-partition'), page_block('sql/registry/README.md', "#!/bin/sh\n# sno-partition "));
$database = new_database();
in_registry('SELECT sno_registry_open()');
new_fleet_server("db$_", $_ % 2 ? 'off' : 'on') foreach 1 .. SERVERS;
in_registry(<<"EOQ");
SELECT sno_registry_margin('${\MARGIN_S} s'), sno_registry_acquire('few', ${\PARTITIONS});
INSERT INTO sno_registry_partition SELECT p, 'rest', NULL, now(), now() FROM generate_series(0, 65535) AS p ON CONFLICT DO NOTHING;
SELECT sno_registry_release('few');
EOQ
add_standby();
announce_registry();
start_program($_) foreach 1 .. PROGRAMS;
wait_for_lines(ACT_IDS);
do
{
	foreach my $name (shuffle(map { ($_) x $acts{$_}[0] } sort keys %acts))
	{
		note sprintf('%.1f s: %s', time - $begin_s, $name);
		$happened{$name}++;
		$acts{$name}[1]->();
		wait_for_lines(ACT_IDS);
	}
} while (time - $begin_s < 60 * ($ENV{MINUTES} || 0));
stop_programs();
foreach my $server (values %server)
{
	stop_load($server->{node}, @{ $server->{sessions} });
	test_readers($server);
	$server->{node}->stop;
	delete $server->{files};
	unlike(slurp_file($server->{node}->logfile), qr/PANIC|TRAP/, $server->{node}->name . ' never failed');
}
note "$happened{$_} times: $_" foreach sort keys %happened;

# A tenure is what one instance was told of a partition: it ends with the last expires
my (%tenures, %told);
foreach my $log (grep { -e } map { "$_.log" } @files)
{
	my (%ends);

	foreach my $line (split /\n/, slurp_file($log))
	{
		$told{ $line =~ /^(\w+ refused (?:\w{5}$)?)/ ? $1 : $line =~ /^(\w+)/ ? $1 : '' }++;
		$ends{"$2 $3"} = max($4, $ends{"$2 $3"} // 0) if $line =~ /^(\w+) .*?(\d+) (\d+) (\d+)$/;
	}
	foreach my $begin (keys %ends)
	{
		my ($partition, $usable) = split / /, $begin;

		push @{ $tenures{$partition} }, [ $usable, $ends{$begin}, $log ];
	}
}
note "$told{$_} calls: $_" foreach sort keys %told;
note sum0(map { scalar @$_ } values %tenures) . ' tenures of ' . keys(%tenures) . ' partitions';

my ($overlaps, $passed) = (0, 0);
foreach my $of_one (values %tenures)
{
	my @sorted = sort { $a->[0] <=> $b->[0] } @$of_one;

	foreach my $n (1 .. $#sorted)
	{
		$overlaps++ if $sorted[$n][0] < $sorted[ $n - 1 ][1];
		$passed++ if $sorted[$n][2] ne $sorted[ $n - 1 ][2];
	}
}
is($overlaps, 0, 'no two tenures of a partition overlap');
cmp_ok($passed, '>', 3, "partitions went from one program to another: $passed times");
# With this code, a renewal can also be one that comes too late
cmp_ok($told{'acquire refused 55000'} // 0, '>', 0, 'programs that ask a registry which is closed are refused');
no_duplicates('no id is duplicated', grep { -e } @files);

# Programs that do not look at expires make some twice, which shows that it would be
# seen
unlink @files;
@files = ();
$_->{is_careless} = 1 foreach values %program;
start_program($_) foreach 1 .. PROGRAMS;
foreach my $attempt (1 .. 40)
{
	wait_for_lines(ACT_IDS);
	last if output_of("cat @files | sort | uniq -d | wc -l") > 0;
}
stop_programs();
cmp_ok(duplicates(grep { -e } @files), '>', 0, 'careless programs make ids twice');

done_testing();

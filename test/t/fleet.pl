# fleet.pl
#	Programs that have their partitions from a registry make no id twice: while they are
#	killed and held up past their expiry, get other clocks, and the registry crashes,
#	moves, and is restored from a backup that has forgotten leases.
#
# MINUTES=n goes on for so long, and keeps every id, some 60 MB a minute.  SEED=n repeats
# the order of acts and their amounts, not their timing.
use strict;
use warnings FATAL => 'all';

use List::Util qw(max shuffle sum0);
use POSIX ();
use Time::HiRes qw(time usleep);

use SnoTest;
use SnoTrouble;

use constant {
	PROGRAMS => 20,
	TTL_S => 5,
	MARGIN_S => 2,				# the registry's clock is off by half of it at most
	ACT_IDS => 60_000,			# between two acts
};

my $begin_s = time;
my ($where, $stop) = map { ids_file($_) } qw(registry stop);
my ($registries, $databases, $generation) = (0, 0, 1);
my ($registry, $database, @files, %program);

# The registry, whose owner is an ordinary role
sub connstr_of
{
	my ($name) = @_;

	return $registry->connstr($name) =~ s/'//gr . ' user=keeper';
}

sub in_registry
{
	my ($sql) = @_;

	return $registry->safe_psql($database, $sql, extra_params => [ '-U', 'keeper' ]);
}

# From now on, programs that get no answer find it
sub announce_registry
{
	return set_file($where, connstr_of($database) . "\n$generation\n");
}

sub new_database
{
	my $name = 'fleet' . ++$databases;

	query($registry, "CREATE DATABASE $name OWNER keeper");
	$registry->safe_psql($name,
		"CREATE SCHEMA registry; CREATE EXTENSION sno_registry SCHEMA registry; "
		  . "ALTER DATABASE $name SET search_path = registry", extra_params => [ '-U', 'keeper' ]);
	return $name;
}

# As the page says.  Programs find the new one when the old one has refused them.
sub move_registry
{
	my $new = new_database();
	my $script = ids_file('move.sh');

	set_file($script, page_block('sql/registry/README.md', '# move'));
	output_of('OLD="' . connstr_of($database) . '" NEW="' . connstr_of($new) . "\" bash -eu -o pipefail $script");
	usleep 50_000 while output_of("cat ${\ids_file('made_')}*.log") !~ /refused 55000/;
	$database = $new;
	return announce_registry();
}

# The same: it is closed before anyone finds it, and opened when all leases that it has forgotten have expired
sub restore_registry
{
	my $copy = PostgreSQL::Test::Cluster->new('registry' . ++$registries);
	my $leases = q(FROM sno_registry WHERE state = 'in use' AND expires IS NOT NULL);
	my ($last, $lost_s);

	$registry->backup($copy->name);
	$copy->init_from_backup($registry, $copy->name);
	$copy->{clock} = new_clock($copy->name);
	$copy->{clock}->set(MARGIN_S * (rand() - 0.5));
	# All leases are renewed, or acquired, after those that it knows have expired
	wait_for_lines() until $last = in_registry("SELECT max(expires) $leases");
	wait_for_lines()
	  until in_registry("SELECT min(expires) > timestamptz '$last' + interval '${\TTL_S} s' $leases") eq 't';
	$registry->stop('immediate');
	$lost_s = time;
	$registry->clean_node;
	$registry = $copy;
	$registry->{clock}->run(sub { $registry->start });
	in_registry(q(SELECT sno_registry_close('being rebuilt'))) foreach 1 .. 2;
	announce_registry();
	usleep 100_000 while time < $lost_s + TTL_S + MARGIN_S;
	$generation++;
	announce_registry();
	return in_registry("SELECT sno_registry_open('${\MARGIN_S} s')");
}

# A program asks for a partition under its name and generation, renews it, and makes ids,
# in hexadecimal form, by its clock, whose offset a file says.  It looks for another registry
# when it gets no answer.  What it is told goes to its log.
sub run_program
{
	my ($name, $file, $clock_file) = @_;
	my $instance = "$$." . time;
	my $clock_s = sub { return time + (slurp_file($clock_file) =~ /([-+].*)s/)[0] };
	my ($tick, $sequence, $asked_s, @found, $partition, $usable, $expires) = (0, 0, 0);
	my $ask = sub {
		my ($call, $arguments) = @_;
		my ($connstr, $epoch) = @found = @found ? @found : split /\n/, slurp_file($where);
		my $times = join ', ', map { "(extract(epoch FROM $_) * 250)::bigint - 315576000000" } qw(usable_from expires);
		my $sql = "SELECT partition, $times "
		  . "FROM registry.sno_registry_$call('$name, $epoch', $arguments, instance => '$instance')";
		my $answer;

		$asked_s = $clock_s->();
		$answer = qx{psql -XAtq -F ' ' -v VERBOSITY=sqlstate -d "$connstr" -c "$sql" 2>&1};
		append_to_file("$file.log", "$call " . ($answer =~ s/.*(ERROR|error|FATAL): +/refused /sr =~ tr/\n/;/r) . "\n");
		return (($partition, $usable, $expires) = ($1, $2, $3)) if $answer =~ /(?:^|\n)(\d+) (\d+) (\d+)\n$/;
		return @found = ();
	};

	open my $made, '>', $file or die;
	while (!-e $stop)
	{
		my $now_s = $clock_s->();
		my $now = int($now_s * 250) - 315576000000;
		my $may_ask = abs($now_s - $asked_s) > 0.1 * TTL_S;

		usleep 4000;
		if (!defined $partition || $now >= $expires)
		{
			$partition = undef;
			$ask->('acquire', "1, '${\TTL_S} s'") if $may_ask;
		}
		elsif ($now > $expires - 125 * TTL_S && $may_ask)
		{
			$ask->('renew', "'${\TTL_S} s'");
		}
		elsif ($now >= $usable)
		{
			# Its clock may have been read before it was held up
			($tick, $sequence) = (max($now, $tick + 1), 0) if $now > $tick || $sequence > 65_000;
			syswrite $made, join '', map { sprintf "%010x00%04x%04x\n", $tick << 1, $partition, $sequence++ } 1 .. 10
			  if $tick < $expires;
		}
	}
	return;
}

sub start_program
{
	my ($n) = @_;
	my $program = $program{$n} //= { clock => new_clock("program_$n") };

	push @files, $program->{file} = ids_file('made_' . @files);
	$program->{pid} = fork // die;
	return if $program->{pid} != 0;
	eval { run_program("program $n", $program->{file}, $program->{clock}{file}); 1 } or print {*STDERR} $@;
	POSIX::_exit(0);
}

# Its last line may be cut off; each has 21 characters
sub kill_program
{
	my $n = pick(grep { !$program{$_}{held_up_s} } sort keys %program);

	kill 'KILL', $program{$n}{pid};
	waitpid $program{$n}{pid}, 0;
	truncate $program{$n}{file}, 21 * int((-s $program{$n}{file} // 0) / 21);
	return start_program($n);
}

sub hold_up_program
{
	my $program = $program{ pick(sort keys %program) };

	$program->{held_up_s} //= time;
	return kill 'STOP', $program->{pid};
}

# Until all have made so many ids together
sub wait_for_lines
{
	my $bytes = sub { return sum0(map { -s } grep { -e } @files) };
	my ($until, $end) = (21 * ACT_IDS + $bytes->(), time + 180);

	while ($bytes->() < $until)
	{
		die 'no more ids are made' if time > $end;
		# Those that were held up for longer than their lease go on
		foreach my $program (grep { time - ($_->{held_up_s} // time) > 1.5 * TTL_S } values %program)
		{
			delete $program->{held_up_s};
			kill 'CONT', $program->{pid};
		}
		usleep 50_000;
	}
	return;
}

my %acts = (
	'a program is killed' => [ 3, \&kill_program ],
	'a program is held up past its expiry' => [ 3, \&hold_up_program ],
	q(a program's clock is moved) =>
	  [ 4, sub { $program{ pick(sort keys %program) }{clock}->set(pick(-1, 1) * 0.01 * 300**rand(2.2)) } ],
	q(the registry's clock is moved) => [ 2, sub { $registry->{clock}->set(MARGIN_S * (rand() - 0.5)) } ],
	'the registry crashes' =>
	  [ 2, sub { $registry->stop('immediate'); $registry->{clock}->run(sub { $registry->start }) } ],
	'the registry moves' => [ 1, \&move_registry ],
	'the registry is restored from an old backup' => [ 1, \&restore_registry ]);

# If an act dies; one that is held up would stay
END
{
	local $? = $?;
	kill 'KILL', grep { defined } map { $_->{pid} } values %program;
}

seed_random();
$registry = new_server('registry0', clock => (my $clock = new_clock('registry0')),
	init => { allows_streaming => 1 }, settings => { max_connections => 100 });
$registry->{clock} = $clock;
query($registry, 'CREATE ROLE keeper LOGIN');
$database = new_database();
in_registry('SELECT sno_registry_open()');
in_registry(<<"EOQ");
SELECT sno_registry_margin('${\MARGIN_S} s'), sno_registry_acquire('few', 14);
INSERT INTO sno_registry_partition SELECT p, 'rest', NULL, now(), now()
	FROM generate_series(0, 65535) AS p ON CONFLICT DO NOTHING;
SELECT sno_registry_release('few');
EOQ
announce_registry();
start_program($_) foreach 1 .. PROGRAMS;
wait_for_lines();
do
{
	foreach my $name (shuffle(map { ($_) x $acts{$_}[0] } sort keys %acts))
	{
		note sprintf('%.1f s: %s', time - $begin_s, $name);
		$acts{$name}[1]->();
		wait_for_lines();
	}
} while (time - $begin_s < 60 * ($ENV{MINUTES} || 0));
set_file($stop, '');
kill 'CONT', map { $_->{pid} } values %program;
waitpid delete $_->{pid}, 0 foreach values %program;

# What the programs were told
my $told = join '', map { slurp_file($_) } grep { -e } map { "$_.log" } @files;
my %users;
$users{$1}++ while $told =~ /^acquire (\d+) \d+ \d+;$/mg;
cmp_ok(scalar(grep { $_ > 2 } values %users), '>', 2, 'partitions went from one program to another');
# With this code, a renewal can also be one that comes too late
like($told, qr/^acquire refused 55000/m, 'programs that ask a registry which is closed are refused');
is(duplicates(grep { -e } @files), 0, 'no id is duplicated: ' . id_count(grep { -e } @files));

done_testing();

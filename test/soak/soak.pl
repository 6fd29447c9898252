# soak.pl
#	Servers, clients and everything that can go wrong, at random, for MINUTES;
#	test/soak/run prepares and starts it.  What is claimed is in Soak.pm.
#
# SEED=n repeats the decisions of an earlier run: the settings, the events with
# their order, pauses and amounts, and what each client sends one after the
# other.  It does not repeat their timing, and so not what meets what.
use strict;
use warnings FATAL => 'all';

use FindBin;

# The output goes here; the test modules redirect the usual one to a log
my $terminal;

BEGIN
{
	open($terminal, '>&', \*STDOUT) or die "stdout: $!\n";
	$terminal->autoflush(1);
}

use lib $FindBin::RealBin, "$FindBin::RealBin/../t";
use Soak;
use SoakActs;
use SoakClients;
use SoakDice;
use SoakEvents;
use SoakServer;
use SoakTime;

use constant PROGRESS_S => 5;

# At most that many ids, all of which must fit the disk as text: rates follow
use constant IDS_MAX => 400_000_000;
use constant IDS_PER_S_MAX => 200_000;
use constant ROWS_MAX => 5_000_000;
use constant ROWS_PER_S_MAX => 3000;

# Beyond its time, and as much again for the last merge, which takes the longer the
# more ids there are; all else is bounded anyway
use constant OVERTIME_S => 1800;

my $minutes = $ENV{MINUTES} // 1;
my $seed = $ENV{SEED} // int(rand 1_000_000);
my $start_s = now_s();
my $progress_s = $start_s;
my ($soak, $events);
my $event_count = 0;

sub say_here
{
	my ($text) = @_;

	print $terminal $text;
	print $text;
	return;
}

# The settings of the cluster, if sno is preloaded
sub draw_settings
{
	my $dice = SoakDice->new($seed, 'settings');
	my $preloaded = $dice->chance(0.6);
	my %settings = (
		'sno.partition' => $dice->pick(-1, 7),
		'sno.partition_count' => $dice->pick(1, 1, 3),
		'sno.sequence_max' => $dice->pick(65535, 65535, 4095, 255),
		'sno.lease_limit' => $dice->pick(64, 64, 1, 4096));

	return $preloaded ? SnoTest::preload(%settings) : {};
}

sub minimum
{
	my ($a, $b) = @_;

	return $a < $b ? $a : $b;
}

sub start_clients
{
	my ($number) = @_;
	my $duration_s = 60 * $minutes;

	return SoakClients->start(
		$number,
		seed => $seed,
		user => SoakServer::user(),
		parallel => $soak->{primary}->workers_have_clock,
		ids_per_s => minimum(IDS_PER_S_MAX, IDS_MAX / $duration_s) / $number,
		rows_per_s => minimum(ROWS_PER_S_MAX, ROWS_MAX / $duration_s) / $number);
}

sub progress
{
	my ($soak) = @_;
	my $counts = $soak->{counts};

	return if now_s() - $progress_s < PROGRESS_S;
	$progress_s = now_s();
	say_here(sprintf "%5d s: %.2f million ids (%.2f checked), %d rows, %d events, life %d\n",
		now_s() - $start_s, $soak->received / 1e6, $soak->{check}{ids} / 1e6,
		$soak->{clients}{rows}, $event_count, $soak->{life});
	return;
}

sub run_events
{
	my $until_s = now_s() + 60 * $minutes;

	for (;;)
	{
		my $event = $events->();

		$soak->pass_time(minimum($event->{pause_s}, $until_s - now_s()));
		last if now_s() >= $until_s;
		printf "# %.3f s: event %d, %s %s\n", now_s() - $start_s, $event->{number}, $event->{kind},
		  join(' ', map { ref $event->{$_} ? () : "$_=$event->{$_}" }
			  grep { !/number|kind|pause_s/ } sort keys %$event);
		SoakActs::carry_out($soak, $event);
		$event_count++;
	}
	return;
}

sub show_figures
{
	my ($counts, $totals, $clients, $check) = @{$soak}{qw(counts totals clients check)};
	my $figure = sub { say_here(sprintf "  %-34s %s\n", @_) };

	say_here("figures\n");
	$figure->('ids received', $soak->received);
	$figure->('ids checked', $check->{ids});
	$figure->('of these lost with a promotion', $check->{lost});
	$figure->('rows in the table at the end', $soak->{table_rows} // '-');
	$figure->('rows lost with promotions', $soak->{rows}{lost});
	$figure->('events', $event_count);
	$figure->($_, $counts->{$_} // 0) foreach
	  'steps back', 'jumps ahead', 'jitters', 'wanders', 'backends killed', 'postmasters killed',
	  'immediate stops', 'fast stops', 'promotions', 'promotions with a lost tail',
	  'promotions with lost reservations', 'restores', 'checkpoints', 'standby restarts',
	  'looks at the standby', 'rescues';
	$figure->('lives of the server', $soak->{life});
	$figure->('sessions of clients', $clients->{sessions});
	$figure->('calls that ran into sno.wait_timeout', $clients->{timeouts});
	$figure->('changes of plane', $totals->{regressions});
	$figure->('reservations', $totals->{reservations});
	foreach my $reason (qw(overflow regression restart))
	{
		$figure->("$reason waits", sprintf '%d, %.1f s in total',
			$totals->{"${reason}_waits"}, $totals->{"${reason}_wait_time"} / 1000);
	}
	$figure->('longest wait of a client for an id', sprintf '%.3f s', $clients->{longest_wait_s});
	$figure->('longest first id after a start', sprintf '%.3f s, of which a wait of %.3f s',
		$soak->{longest_restart_s}, $soak->{longest_restart_wait_ms} / 1000);
	$figure->('duplicates', $check->{duplicates});
	return;
}

sub run
{
	my $dice = SoakDice->new($seed, 'soak');
	my $settings = draw_settings();
	my $clients = int $dice->uniform(4, 9);

	say_here("soak of $minutes minutes, SEED=$seed: $clients clients, "
		  . (%$settings ? join(', ', map { "$_ = $settings->{$_}" } sort keys %$settings)
			: 'sno is not preloaded') . "\n");
	$events = SoakEvents::events($seed);
	$soak = Soak->new(settings => $settings, progress => \&progress);
	$soak->{clients} = start_clients($clients);
	$soak->begin_life(1);
	run_events();
	say_here("the last checks\n");
	$soak->finish;
	return;
}

# The exit code: 0 if all is well, 1 if not, 130 if interrupted
sub main
{
	my $failure;
	my $interrupted = 0;

	$SIG{INT} = $SIG{TERM} = sub { $interrupted = 1; die "interrupted\n" };
	$SIG{ALRM} = sub { die "the soak does not come to an end\n" };
	alarm(2 * 60 * $minutes + OVERTIME_S);
	eval { run() };
	$failure = $@;
	alarm(0);
	$SIG{INT} = $SIG{TERM} = 'IGNORE';
	if ($failure && !$interrupted)
	{
		say_here("FAILED after " . int(now_s() - $start_s) . " s: $failure");
		say_here($soak->state_of_servers) if $soak;
	}
	if ($soak)
	{
		$soak->{check}->kill_job;
		$soak->{clients}->kill_all if $soak->{clients};
	}
	return 130 if $interrupted;
	show_figures() if $soak && $soak->{clients};
	return $failure ? 1 : 0;
}

exit main();

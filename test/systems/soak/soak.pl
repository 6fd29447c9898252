# soak.pl
#	Servers, clients and everything that can go wrong, at random, for MINUTES;
#	test/systems/soak/run prepares and starts it.  What is claimed is in Soak.pm.
#
# SEED=n repeats the decisions of an earlier run: the settings, the events with
# their order, pauses and amounts, and what each client sends one after the
# other.  It does not repeat their timing, and so not what meets what.
use v5.36;
use warnings FATAL => 'all';

use FindBin;

# The output goes here; the test modules redirect the usual one to a log
my $terminal;

BEGIN
{
	open($terminal, '>&', \*STDOUT) or die "stdout: $!\n";
	$terminal->autoflush(1);
}

use lib $FindBin::RealBin, "$FindBin::RealBin/../../t";
use List::Util qw(min);

use SnoTest;
use Soak;
use SoakActs;
use SoakDice;

use constant PROGRESS_S => 5;

# At most that many ids, all of which must fit the disk as text: the rate follows
use constant IDS_MAX => 400_000_000;
use constant IDS_PER_S_MAX => 200_000;

# Beyond its time, and as much again for the last merge, which takes the longer the
# more ids there are; all else is bounded anyway
use constant OVERTIME_S => 1800;

my $duration_s = 60 * $ENV{MINUTES};
my $start_s = now_s();
my $progress_s = $start_s;
my ($soak, $failure, $interrupted);
my $events = 0;

sub say_here($text)
{
	print $terminal $text;
	print $text;
}

# The settings of the cluster, if sno is preloaded
sub draw_settings()
{
	my $preloaded = chance(0.6);
	my %settings = (
		'sno.partition' => pick(-1, 7),
		'sno.partition_count' => pick(1, 1, 3),
		'sno.sequence_max' => pick(65535, 65535, 4095, 255),
		'sno.lease_limit' => pick(64, 64, 1, 4096));

	return $preloaded ? SnoTest::preload(%settings) : {};
}

sub progress($soak)
{
	return if now_s() - $progress_s < PROGRESS_S;
	$progress_s = now_s();
	say_here(sprintf "%5d s: %.2f million ids (%.2f checked), %d rows, %d events, life %d\n",
		now_s() - $start_s, $soak->received / 1e6, $soak->{check}{ids} / 1e6,
		Soak::ids_in('inserted*'), $events, $soak->{life});
}

sub run()
{
	my $deck = SoakActs::deck();
	my ($settings, $clients, $until_s);

	seed_for('settings');
	$settings = draw_settings();
	$clients = 3 + count_up_to(6);
	say_here("soak of $ENV{MINUTES} minutes, SEED=$ENV{SEED}: $clients clients, "
		  . (join(', ', map { "$_ = $settings->{$_}" } sort keys %$settings) || 'sno is not preloaded')
		  . "\n");
	$soak = Soak->new($settings, $clients, min(IDS_PER_S_MAX, IDS_MAX / $duration_s), \&progress);
	$soak->begin_life(1);
	$until_s = now_s() + $duration_s;
	for (;;)
	{
		my $name = $deck->();

		seed_for('event', ++$events);
		$soak->pass_time(min(log_uniform(0.3, 5), $until_s - now_s()));
		last if now_s() >= $until_s;
		printf "# %.3f s: event %d, %s, the clock is off by %.6f s\n", now_s() - $start_s,
		  $events, $name, $soak->{primary}{clock}->offset_s;
		seed_for('event', $events, 'itself');
		SoakActs::carry_out($soak, $name);
	}
	say_here("the last checks\n");
	$soak->finish;
	say_here("no id came up twice\n");
}

$SIG{PIPE} = 'IGNORE';
$SIG{INT} = $SIG{TERM} = sub { $interrupted = 1; die "interrupted\n" };
$SIG{ALRM} = sub { die "the soak does not come to an end\n" };
alarm(2 * $duration_s + OVERTIME_S);
eval { run() };
$failure = $@;
alarm(0);
$SIG{INT} = $SIG{TERM} = 'IGNORE';
$soak->kill_all if $soak;
exit 130 if $interrupted;
say_here("FAILED after " . int(now_s() - $start_s) . " s: $failure") if $failure;
say_here(sprintf "  %-40s %s\n", @$_) foreach $soak ? $soak->figures : ();
exit($failure ? 1 : 0);

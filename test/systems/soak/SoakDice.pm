# SoakDice.pm
#	Random decisions from SEED: perl's generator, seeded anew for each matter, so
#	that what is drawn for one depends neither on others nor on the time.  And
#	durations, by a clock that nobody moves.
package SoakDice;

use v5.36;
use warnings FATAL => 'all';

use Digest::MD5 qw(md5);
use Exporter 'import';
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

use PostgreSQL::Test::Utils;

our @EXPORT = qw(seed_for log_uniform count_up_to chance pick now_s wait_until PATIENCE_S);

# What is not there by then never comes
use constant PATIENCE_S => $PostgreSQL::Test::Utils::timeout_default;

# What is drawn from here on belongs to the matter of this name
sub seed_for(@name)
{
	srand(unpack('N', md5(join ' ', $ENV{SEED}, @name)));
}

# Each order of magnitude is as likely as any other
sub log_uniform($min, $max)
{
	return $min * ($max / $min)**rand();
}

# A whole number from 1, small ones more likely
sub count_up_to($max)
{
	return int log_uniform(1, $max + 0.999);
}

sub chance($probability)
{
	return rand() < $probability;
}

sub pick(@choices)
{
	return $choices[ rand @choices ];
}

sub now_s()
{
	return clock_gettime(CLOCK_MONOTONIC);
}

# Until the code returns something true, which is returned; dies, saying what was
# waited for, if it does not in time
sub wait_until($what, $is_true, $timeout_s = PATIENCE_S)
{
	my $until_s = now_s() + $timeout_s;
	my $result;

	until ($result = $is_true->())
	{
		die "waited $timeout_s s in vain: $what\n" if now_s() > $until_s;
		usleep(20_000);
	}
	return $result;
}

1;

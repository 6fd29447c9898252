# SoakTime.pm
#	Durations, by a clock that nobody moves, and bounded waits for a condition.
package SoakTime;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

use PostgreSQL::Test::Utils;

our @EXPORT = qw(now_s wait_until PATIENCE_S);

use constant POLL_US => 20_000;

# What is not there by then never comes.  As in PostgreSQL's own tests,
# PG_TEST_TIMEOUT_DEFAULT is for a machine that needs longer.
use constant PATIENCE_S => $PostgreSQL::Test::Utils::timeout_default;

sub now_s
{
	return clock_gettime(CLOCK_MONOTONIC);
}

# wait_until(WHAT, CODE, [SECONDS]): until the code returns something true, which
# is returned; dies, saying what was waited for, if it does not in this time.
sub wait_until
{
	my ($what, $is_true, $timeout_s) = @_;
	my $until_s = now_s() + ($timeout_s //= PATIENCE_S);

	for (;;)
	{
		my $result = $is_true->();

		return $result if $result;
		die "waited $timeout_s s in vain: $what\n" if now_s() > $until_s;
		usleep(POLL_US);
	}
}

1;

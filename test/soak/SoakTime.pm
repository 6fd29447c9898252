# SoakTime.pm
#	Durations, by a clock that nobody moves, and bounded waits for a condition.
package SoakTime;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Time::HiRes qw(clock_gettime usleep CLOCK_MONOTONIC);

our @EXPORT = qw(now_s wait_until);

use constant POLL_US => 20_000;

sub now_s
{
	return clock_gettime(CLOCK_MONOTONIC);
}

# wait_until(WHAT, SECONDS, CODE): until the code returns something true, which
# is returned; dies, saying what was waited for, if it does not in this time.
sub wait_until
{
	my ($what, $timeout_s, $is_true) = @_;
	my $until_s = now_s() + $timeout_s;

	for (;;)
	{
		my $result = $is_true->();

		return $result if $result;
		die "waited $timeout_s s in vain: $what\n" if now_s() > $until_s;
		usleep(POLL_US);
	}
}

1;

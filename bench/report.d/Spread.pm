# Spread.pm
#	What the rounds come to: a median with its spread, and the ratio of two
#	rivals, which is computed within each round.
#
# A machine is slower at one time than at another, and slows down rivals that
# have their turns in the same round alike: so the ratio of a round is worth
# more than that of two medians.
#
# Values of a rival are a hash by round.  A spread is a hash of median, min,
# max and rounds, or undef if there is no round.
package Spread;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);

our @EXPORT = qw(median spread ratios);

# Of an even number, the mean of the two in the middle
sub median
{
	my @sorted = sort { $a <=> $b } @_;
	my $half = int(@sorted / 2);

	return @sorted % 2 ? $sorted[$half] : ($sorted[ $half - 1 ] + $sorted[$half]) / 2;
}

sub spread
{
	my ($values) = @_;
	my @sorted = sort { $a <=> $b } values %$values;

	return undef if @sorted == 0;
	return {
		median => median(@sorted),
		min => $sorted[0],
		max => $sorted[-1],
		rounds => scalar @sorted
	};
}

# The ratios of the rounds that both have, by round
sub ratios
{
	my ($over, $under) = @_;

	return {
		map  { $_ => $over->{$_} / $under->{$_} }
		grep { exists $under->{$_} && $under->{$_} != 0 } keys %$over
	};
}

1;

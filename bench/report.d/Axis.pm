# Axis.pm
#	The range of an axis of figures, and its marks: at 1, 2 or 5 times a power of
#	ten.
#
#	{ lo, hi, log, marks => [ [ value, text ], ... ] }
package Axis;

use strict;
use warnings FATAL => 'all';

use Exporter   qw(import);
use List::Util qw(first max min);
use POSIX      qw(ceil floor log10);

our @EXPORT = qw(linear_axis log_axis place_on);

use constant { MARKS => 5, DECADES_WITH_ONE_MARK => 3 };

sub mark
{
	my ($value) = @_;
	my $text = sprintf('%.10g', $value);

	1 while $text =~ s/^(-?\d+)(\d{3})/$1,$2/;
	return [ $value, $text ];
}

# From zero, or from below it if there is anything
sub linear_axis
{
	my (@values) = @_;
	my $hi = max(0, @values);
	my $lo = min(0, @values);
	my $least = ($hi - $lo || 1) / MARKS;
	my $power = 10**floor(log10($least));
	my $step = first { $_ >= $least * 0.999 } map { $_ * $power } 1, 2, 5, 10;

	return {
		lo => $lo,
		hi => $hi || 1,
		log => 0,
		marks => [ map { mark($_ * $step) } ceil($lo / $step) .. floor($hi / $step) ]
	};
}

# From somewhat below the least, which has to be seen as well
sub log_axis
{
	my (@values) = @_;
	my $hi = max(@values);
	my $lowest = min(@values) * 0.7;
	my $first = floor(log10($lowest));
	my $last = floor(log10($hi));
	my @factors = $last - $first < DECADES_WITH_ONE_MARK ? (1, 2, 5) : (1);
	my $lo = max(grep { $_ <= $lowest } map { $_ * 10**$first } 1, 2, 5);
	my @marks;

	foreach my $exponent ($first .. $last)
	{
		push @marks, map { $_ * 10**$exponent } @factors;
	}
	return {
		lo => $lo,
		hi => $hi,
		log => 1,
		marks => [ map { mark($_) } grep { $_ >= $lo && $_ <= $hi } @marks ]
	};
}

# Where a value lies between the ends, from 0 to 1
sub place_on
{
	my ($axis, $value) = @_;
	my ($lo, $hi) = @$axis{qw(lo hi)};

	return $axis->{log}
	  ? log($value / $lo) / log($hi / $lo)
	  : ($value - $lo) / ($hi - $lo);
}

1;

# Figures.pm
#	How figures are written: as many digits as mean something, and commas
#	between thousands.
package Figures;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter   qw(import);
use List::Util qw(max);
use POSIX      qw(floor log10);

our @EXPORT = qw(figure figures spread_text);

# Small figures have three digits that count, large ones four
use constant { DIGITS => 3, DIGITS_LARGE => 4 };

# The decimals to write a figure with; negative ones are zeroes before the point
sub decimals_of
{
	my ($value) = @_;
	my $exponent;

	return 0 if $value == 0;
	# What rounds up to a power of ten is written like that
	$exponent = floor(log10(abs(sprintf('%.*e', DIGITS - 1, $value))));
	return max(-$exponent + ($exponent < DIGITS ? DIGITS : DIGITS_LARGE) - 1, -15);
}

sub with_decimals
{
	my ($value, $decimals) = @_;
	my $text;

	if ($decimals < 0)
	{
		my $unit = 10**-$decimals;

		$text = sprintf('%.0f', sprintf('%.0f', $value / $unit) * $unit);
	}
	else
	{
		$text = sprintf('%.*f', $decimals, $value);
	}
	1 while $text =~ s/^(-?\d+)(\d{3})/$1,$2/;
	return $text;
}

# Figures beside each other, all with the decimals of the first
sub figures
{
	my ($first, @others) = @_;
	my $decimals = decimals_of($first);

	return map { with_decimals($_, $decimals) } $first, @others;
}

sub figure
{
	my ($value) = @_;
	my ($text) = figures($value);

	return $text;
}

# "median (min–max)", or the figure alone if the rounds agree
sub spread_text
{
	my ($spread) = @_;
	my ($median, $min, $max) = figures(@$spread{qw(median min max)});

	return $min eq $max ? $median : "$median ($min–$max)";
}

1;

# Measure.pm
#	What follows from the name of a measure and from those of its cases: whether
#	more is better, and whether the cases are numbers.
package Measure;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter qw(import);

our @EXPORT = qw(better cases_in_order numbers_of);

# A rate is better if there is more of it; a time, a size or a factor, if less
sub better
{
	my ($measure) = @_;

	return 'more is better' if $measure =~ /\b(?:a|per) second\b|\btps\b|\/s\b/;
	return 'less is better'
	  if $measure =~ /\b(?:ns|us|µs|ms|s|minutes?|bytes?|kB|MB|GB|factor)\b/;
	return undef;
}

# Cases such as "1 client", "8 clients": the number of each, and what they
# count.  Two are a choice and no axis; and "10 s", "1 min" are not of a kind.
sub numbers_of
{
	my (@cases) = @_;
	my (%number, $counted);

	return undef if @cases < 3;
	foreach my $case (@cases)
	{
		my ($number, $unit) = $case =~ /^([1-9]\d*)(?: (.+))?$/ or return undef;

		$unit = ($unit // '') =~ s/s$//r;
		return undef if defined $counted && $counted ne $unit;
		$counted = $unit;
		$number{$case} = $number;
	}
	return { number => \%number, counted => $counted eq '' ? '' : "${counted}s" };
}

# By number, or else as they are
sub cases_in_order
{
	my (@cases) = @_;
	my $numbers = numbers_of(@cases) or return @cases;

	return map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [ $numbers->{number}{$_}, $_ ] } @cases;
}

1;

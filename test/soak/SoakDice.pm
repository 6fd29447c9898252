# SoakDice.pm
#	Random decisions that depend on nothing but a seed and a name: neither on
#	who else decides something, nor on the time, nor on perl's own generator.
package SoakDice;

use strict;
use warnings FATAL => 'all';

use Digest::MD5 qw(md5);

# The same seed and name make the same sequence
sub new
{
	my ($class, $seed, $name) = @_;

	return bless { key => "$seed $name", count => 0 }, $class;
}

# From 0 to below 1
sub fraction
{
	my ($dice) = @_;

	return unpack('N', md5("$dice->{key} " . $dice->{count}++)) / 2**32;
}

sub uniform
{
	my ($dice, $min, $max) = @_;

	return $min + ($max - $min) * $dice->fraction;
}

# Each order of magnitude is as likely as any other
sub log_uniform
{
	my ($dice, $min, $max) = @_;

	return $min * ($max / $min)**$dice->fraction;
}

# A whole number, small ones more likely
sub count
{
	my ($dice, $min, $max) = @_;

	return int $dice->log_uniform($min, $max + 0.999);
}

sub chance
{
	my ($dice, $probability) = @_;

	return $dice->fraction < $probability;
}

sub pick
{
	my ($dice, @choices) = @_;

	return $choices[ int($dice->fraction * @choices) ];
}

sub shuffle
{
	my ($dice, @cards) = @_;

	foreach my $i (reverse 1 .. $#cards)
	{
		my $j = int($dice->fraction * ($i + 1));

		@cards[ $i, $j ] = @cards[ $j, $i ];
	}
	return @cards;
}

1;

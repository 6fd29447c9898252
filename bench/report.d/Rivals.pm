# Rivals.pm
#	The rivals: in which order they are shown, and in which colour and with which
#	mark they are drawn, the same in all charts.
#
# What is sno's own is blue and comes first.  A rival that is not listed comes
# last, with the colour and mark that are next in a list of spare ones.
package Rivals;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);

our @EXPORT = qw(is_own rivals_in_order rival_styles);

# Name, colour, and gnuplot's number of the mark
my @listed = (
	[ 'sno', '#0b5ed7', 7 ],
	[ 'sno, array', '#0b5ed7', 7 ],
	[ 'sno, rows', '#4c9bf5', 5 ],
	[ 'sno, 1 partition', '#4c9bf5', 5 ],
	[ 'sno, bulk', '#4c9bf5', 5 ],
	[ 'sno, lease', '#4c9bf5', 5 ],
	[ 'sno, lease 1', '#93bff2', 11 ],
	[ 'sno, 1 partition', '#4c9bf5', 5 ],
	[ 'sno, bulk', '#4c9bf5', 5 ],
	[ 'sno, unreserved', '#93bff2', 5 ],
	[ 'avx512', '#4c9bf5', 5 ],
	[ 'sse', '#6cadf6', 9 ],
	[ 'neon', '#6cadf6', 9 ],
	[ 'bmi2', '#93bff2', 11 ],
	[ 'scalar', '#b7d4f5', 13 ],
	[ 'bigserial', '#59636e', 5 ],
	[ 'bigserial, cache 32', '#a0a8b2', 9 ],
	[ 'uuid', '#e8871e', 11 ],
	[ 'uuidv4', '#e8871e', 11 ],
	[ 'uuidv7', '#b3401f', 13 ],
	[ 'pg_uuidv7', '#d99a80', 15 ],
	[ 'shard id', '#7d4fb8', 3 ],
	[ 'uuidv7, boundary', '#e8871e', 11 ],
	[ 'uuidv7, extract', '#b3401f', 13 ],
	[ 'timestamptz', '#1f9c8f', 9 ],
	[ 'bytea', '#8f6f5c', 9 ],
	[ 'table', '#59636e', 5 ],
	[ 'generate_series', '#1f9c8f', 9 ],
	[ 'fetch and add', '#59636e', 5 ],
	[ 'floor', '#8ccf9d', 1 ],
	[ 'floor, clock', '#2f9e55', 2 ],
	[ 'clock', '#2f9e55', 2 ],
	[ 'memcpy', '#2f9e55', 2 ],
	[ 'ceiling', '#1f2328', 1 ]);
my %place = map { $listed[$_][0] => $_ } 0 .. $#listed;

my @spare = (
	[ '#c2417c', 4 ],
	[ '#9a8a1d', 6 ],
	[ '#3a6f83', 8 ],
	[ '#a35fb0', 10 ],
	[ '#6f7f2a', 12 ],
	[ '#c46a5a', 14 ]);

sub is_own
{
	my ($rival) = @_;

	return $rival =~ /^sno\b/ ? 1 : 0;
}

sub rivals_in_order
{
	return sort { ($place{$a} // @listed) <=> ($place{$b} // @listed) || $a cmp $b } @_;
}

# { colour, mark } of each of the names, which are all there are in the report
sub rival_styles
{
	my %name = map { $_ => 1 } @_;
	my %style;
	my $spare = 0;

	foreach my $rival (rivals_in_order(keys %name))
	{
		my ($colour, $mark) =
		  exists $place{$rival}
		  ? @{ $listed[ $place{$rival} ] }[ 1, 2 ]
		  : @{ $spare[ $spare++ % @spare ] };

		$style{$rival} = { colour => $colour, mark => $mark };
	}
	return \%style;
}

1;

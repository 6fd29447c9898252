# Gnuplot.pm
#	The words of gnuplot: strings, labels, axes, the frame of a chart; and running
#	it.
#
# Everything is placed by who calls and not by gnuplot, which does not know how
# wide letters are in SVG.  The background is white, so that a chart can be read
# on a dark page too.
package Gnuplot;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter qw(import);
use File::Temp;

our @EXPORT = qw(plain bold label grid set_axis frame run_gnuplot INK GREY WIDTH EDGE FOOT);

# Pixels: of the chart, around it, and below its area
use constant { WIDTH => 860, EDGE => 14, FOOT => 34 };

use constant { INK => '#1f2328', GREY => '#59636e', GRID => '#eaeef2' };

# A string of gnuplot's, in which nothing is markup
sub plain
{
	my ($text) = @_;

	$text =~ s/([\\{}_^@&~])/\\$1/g;
	$text =~ s/'/''/g;
	return $text;
}

sub bold
{
	my ($text) = @_;

	return '{/:Bold ' . plain($text) . '}';
}

sub label
{
	my ($text, $x, $y, $rest) = @_;

	return "set label '$text' at $x, $y $rest\n";
}

sub grid
{
	my ($name) = @_;

	return "set grid ${name}tics linetype 1 linewidth 1 linecolor rgb '${\GRID}'\n";
}

# An axis of gnuplot's
sub set_axis
{
	my ($name, $axis) = @_;
	my $marks = join(', ', map { "'$_->[1]' $_->[0]" } @{ $axis->{marks} });

	return
		($axis->{log} ? "set logscale $name\n" : '')
	  . "set ${name}range [$axis->{lo}:$axis->{hi}]\n"
	  . "set ${name}tics ($marks)\n"
	  . grid($name);
}

# What every chart begins with: the size, the titles, and the area within it, by
# its distances in pixels
sub frame
{
	my ($height, $left, $right, $top, $titles) = @_;
	my ($title, $subtitle) = @$titles;
	my $x = EDGE / WIDTH;

	return sprintf("set terminal svg size %d,%d enhanced font 'sans-serif,13' background '#ffffff'\n",
		WIDTH, $height)
	  . "set encoding utf8\nunset key\n"
	  . sprintf("set lmargin at screen %.5f\nset rmargin at screen %.5f\n", $left / WIDTH, 1 - $right / WIDTH)
	  . sprintf("set tmargin at screen %.5f\nset bmargin at screen %.5f\n", 1 - $top / $height,
		FOOT / $height)
	  . "set border 0\nset tics nomirror scale 0 textcolor rgb '${\GREY}'\n"
	  . label(
		'{/=15:Bold ' . plain($title) . '}',
		"screen $x",
		sprintf('screen %.5f', 1 - 22 / $height),
		"textcolor rgb '${\INK}'")
	  . label(
		plain($subtitle), "screen $x",
		sprintf('screen %.5f', 1 - 43 / $height),
		"textcolor rgb '${\GREY}'");
}

sub run_gnuplot
{
	my ($script) = @_;
	my $file = File::Temp->new(SUFFIX => '.gnuplot');
	my ($gnuplot, $svg);

	# Or it cannot write what is not ASCII
	local $ENV{LC_ALL} = 'C.UTF-8';

	binmode($file, ':encoding(UTF-8)');
	print $file $script;
	close($file)                                             or die "$file: $!\n";
	open($gnuplot, '-|:encoding(UTF-8)', 'gnuplot', "$file") or die "gnuplot: $!\n";
	$svg = do { local $/; <$gnuplot> };
	close($gnuplot) && ($svg // '') =~ m{</svg>\s*$} or die "gnuplot drew nothing of:\n$script";
	return $svg;
}

1;

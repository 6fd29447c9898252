# Chart.pm
#	Draws a measure of a question as SVG, with gnuplot.
#
# Cases that are numbers are drawn as lines over them, others as bars, or as
# marks in a row for each case if there are more bars than one wants to see.
package Chart;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter   qw(import);
use List::Util qw(all max min sum);

use Axis;
use Figures;
use Gnuplot;
use Measure;
use Rivals;
use Spread;

our @EXPORT = qw(chart_svg);

# Pixels
use constant {
	HEAD => 66,
	LETTER => 7.5,
	LETTER_BOLD => 8.6,
	GAP => 10,
	LINES_HEIGHT => 340,
	LABEL_HEIGHT => 17,
	COUNTED_HEIGHT => 20,
	BAR_HEIGHT => 23,
	MARKS_HEIGHT => 40,
	LEGEND_HEIGHT => 24,
};

# Rivals this far apart are not seen side by side on a linear axis; and cases
# in which sno's own figures are this far apart are no figures of one kind
use constant { SPREAD_LOG => 100, SPREAD_OF_CASES => 20, BARS => 32 };

# Own lines and names are the ones to be seen first
sub name_of
{
	my ($rival) = @_;

	return is_own($rival) ? bold($rival) : plain($rival);
}

# Pixels that names or figures take
sub widest
{
	return LETTER * max(map { length } @_);
}

sub widest_name
{
	return LETTER + max(map { length($_) * (is_own($_) ? LETTER_BOLD : LETTER) } @_);
}

# The spreads to draw, by case and rival: of the figures, or of what they are in
# those of the rival beside them
sub spreads_of
{
	my ($table, $beside) = @_;
	my %spreads;

	foreach my $case (@{ $table->{cases} })
	{
		my $values = $table->{value}{$case};

		foreach my $rival (keys %$values)
		{
			my $shown = defined $beside ? ratios($values->{$rival}, $values->{$beside}) : $values->{$rival};
			my $spread = spread($shown);

			$spreads{$case}{$rival} = $spread if defined $spread;
		}
	}
	return \%spreads;
}

# Are the figures of the cases so far apart that they are of different kinds?
# Only if each can be given in those of a rival that has all of them.
sub differ_in_kind
{
	my ($table, $beside) = @_;
	my @medians;

	foreach my $case (@{ $table->{cases} })
	{
		my $spread = spread($table->{value}{$case}{$beside} // {});

		return 0 if !defined $spread || $spread->{min} <= 0;
		push @medians, $spread->{median};
	}
	return max(@medians) / min(@medians) >= SPREAD_OF_CASES;
}

# The axis that all of this fits on, with a part of it as room above; a
# logarithmic one for values that are far apart, if that may be
sub axis_for
{
	my ($spreads, $room, $may_be_log) = @_;
	my @all = map { values %$_ } values %$spreads;
	my @ends = map { @$_{qw(min max)} } @all;
	my $apart = 1;
	my $axis;

	if ($may_be_log && all { $_ > 0 } @ends)
	{
		foreach my $rivals (values %$spreads)
		{
			my @medians = map { $_->{median} } values %$rivals;

			$apart = max($apart, max(@medians) / min(@medians));
		}
	}
	if ($apart >= SPREAD_LOG)
	{
		$axis = log_axis(@ends);
		$axis->{hi} *= ($axis->{hi} / $axis->{lo})**$room;
	}
	else
	{
		$axis = linear_axis(@ends);
		$axis->{hi} += ($axis->{hi} - $axis->{lo}) * $room;
	}
	return $axis;
}

# The colour to fill a bar with, as a number: that of a rival is softer
sub filling
{
	my ($rival, $colour) = @_;
	my $strength = is_own($rival) ? 1 : 0.65;
	my @parts = map { hex } $colour =~ /^#(..)(..)(..)$/;
	my ($red, $green, $blue) = map { int(255 - (255 - $_) * $strength + 0.5) } @parts;

	return ($red * 256 + $green) * 256 + $blue;
}

# A row for each bar, and one above those of each case that names it.  Bars begin
# at zero, or their lengths would mean nothing.
sub bars
{
	my ($chart) = @_;
	my ($spreads, $style) = @$chart{qw(spreads style)};
	my @cases = @{ $chart->{cases} };
	my $axis = axis_for($spreads, 0, 0);
	my ($row, $text, $data, @names, @figures) = (0, '', '');
	my $height;

	foreach my $case (@cases)
	{
		if (@cases > 1)
		{
			$row += 0.25 if $row > 0;
			$text .= label(bold($case), 'graph 0', "first $row", "left textcolor rgb '${\INK}'");
			$row++;
		}
		foreach my $rival (grep { $spreads->{$case}{$_} } @{ $chart->{rivals} })
		{
			my ($median, $min, $max) = @{ $spreads->{$case}{$rival} }{qw(median min max)};
			my $figure = figure($median);

			$data .= join(' ',
				max($axis->{lo}, 0),
				$row, $median, $min, $max, filling($rival, $style->{$rival}{colour}))
			  . "\n";
			$text .= label(is_own($rival) ? bold($figure) : $figure,
				"first $max", "first $row", "left offset 0.8,0 textcolor rgb '${\INK}'");
			push @figures, $figure;
			push @names, "'" . name_of($rival) . "' $row";
			$row++;
		}
	}

	$height = HEAD + FOOT + $row * BAR_HEIGHT;
	return frame(
		$height,
		EDGE + widest_name(@{ $chart->{rivals} }) + GAP,
		EDGE + GAP + max(map { LETTER_BOLD * length } @figures),
		HEAD, $chart->{titles})
	  . set_axis('x', $axis)
	  . $text
	  . "set yrange ["
	  . ($row - 0.5)
	  . ":-0.5]\n"
	  . "set ytics ("
	  . join(', ', @names)
	  . ") textcolor rgb '${\INK}'\n"
	  . "set style fill solid noborder\n"
	  . "\$bars << EOD\n${data}EOD\n"
	  . "plot \$bars using 3:2:1:3:(\$2-0.36):(\$2+0.36):6 with boxxyerror linecolor rgb variable, "
	  . "\$bars using 3:2:4:5 with xerrorbars pointtype 0 linewidth 1 linecolor rgb '${\INK}'\n";
}

# A row for each case, with a mark for each rival
sub marks
{
	my ($chart) = @_;
	my ($spreads, $style) = @$chart{qw(spreads style)};
	my @cases = @{ $chart->{cases} };
	my @rivals = @{ $chart->{rivals} };
	my $axis = axis_for($spreads, 0.02, 1);
	my $top = HEAD + LEGEND_HEIGHT;
	my $height = $top + FOOT + @cases * MARKS_HEIGHT;
	my ($text, $data, $x) = ('', '', EDGE + 6);
	my @plots;

	foreach my $i (0 .. $#rivals)
	{
		my ($colour, $mark) = @{ $style->{ $rivals[$i] } }{qw(colour mark)};
		my $drawn = "linecolor rgb '$colour' pointtype $mark";
		my $y = sprintf('screen %.5f', 1 - (HEAD - 2) / $height);

		$text .= label('', sprintf('screen %.5f', $x / WIDTH), $y, "point $drawn pointsize 0.9");
		$text .= label(
			name_of($rivals[$i]),
			sprintf('screen %.5f', ($x + 10) / WIDTH),
			$y, "textcolor rgb '${\INK}'");
		$x += 40 + widest_name($rivals[$i]);

		$data .= "\$rival$i << EOD\n";
		foreach my $row (0 .. $#cases)
		{
			my $spread = $spreads->{ $cases[$row] }{ $rivals[$i] } or next;
			# Beside each other within the row
			my $y = $row + 0.8 * (($i + 0.5) / @rivals - 0.5);

			$data .= "$spread->{median} $y $spread->{min} $spread->{max}\n";
		}
		$data .= "EOD\n";
		push @plots, "\$rival$i using 1:2:3:4 with xerrorbars $drawn pointsize 0.9";
	}

	return
		frame($height, EDGE + widest(@cases) + GAP, EDGE + GAP, $top, $chart->{titles})
	  . set_axis('x', $axis)
	  . $text
	  . "set yrange ["
	  . (@cases - 0.5)
	  . ":-0.5]\n"
	  . "set ytics ("
	  . join(', ', map { "'" . plain($cases[$_]) . "' $_" } 0 .. $#cases)
	  . ") textcolor rgb '${\INK}'\n"
	  . grid('y')
	  . $data . 'plot '
	  . join(', ', @plots) . "\n";
}

# The heights of labels, each as near to the wanted one as the others allow
sub apart
{
	my ($wanted, $gap) = @_;
	my @groups;

	foreach my $i (sort { $wanted->[$a] <=> $wanted->[$b] || $a <=> $b } 0 .. $#$wanted)
	{
		push @groups, { members => [$i], middle => $wanted->[$i] };
		# Groups that touch become one, around the mean of what they want
		while (@groups > 1
			&& $groups[-1]{middle} - $groups[-2]{middle} <
			$gap * (@{ $groups[-1]{members} } + @{ $groups[-2]{members} }) / 2)
		{
			my $upper = pop @groups;
			my $members = $groups[-1]{members};

			push @$members, @{ $upper->{members} };
			$groups[-1]{middle} = sum(map { $wanted->[$_] } @$members) / @$members;
		}
	}

	my @heights;
	foreach my $group (@groups)
	{
		my @members = @{ $group->{members} };

		foreach my $i (0 .. $#members)
		{
			$heights[ $members[$i] ] = $group->{middle} + $gap * ($i - $#members / 2);
		}
	}
	return @heights;
}

sub plot_of_line
{
	my ($data, $own, $style) = @_;

	return
		"$data using 1:2:3:4 with yerrorbars linecolor rgb '$style->{colour}' linewidth 1 pointtype 0, "
	  . "$data using 1:2 with linespoints linecolor rgb '$style->{colour}' "
	  . "pointtype $style->{mark} pointsize 0.8 linewidth "
	  . ($own ? '3' : '1.5');
}

# Lines over numbers, with names at their ends
sub lines
{
	my ($chart) = @_;
	my ($spreads, $style, $numbers) = @$chart{qw(spreads style numbers)};
	my @cases = @{ $chart->{cases} };
	my @rivals = @{ $chart->{rivals} };
	my @x = map { $numbers->{number}{$_} } @cases;
	my $axis = axis_for($spreads, 0.04, 1);
	my $height = HEAD + LINES_HEIGHT + FOOT + COUNTED_HEIGHT;
	my ($text, $data) = ('', '');
	my (@plots, @ends, @heights);

	foreach my $i (0 .. $#rivals)
	{
		my @measured = grep { $spreads->{$_}{ $rivals[$i] } } @cases;
		my $spread;

		$data .= "\$rival$i << EOD\n";
		foreach my $case (@measured)
		{
			$spread = $spreads->{$case}{ $rivals[$i] };
			$data .= "$numbers->{number}{$case} $spread->{median} $spread->{min} $spread->{max}\n";
		}
		$data .= "EOD\n";
		push @ends, place_on($axis, $spread->{median}) * LINES_HEIGHT;
		push @plots, plot_of_line("\$rival$i", is_own($rivals[$i]), $style->{ $rivals[$i] });
	}
	@heights = apart(\@ends, LABEL_HEIGHT);
	foreach my $i (0 .. $#rivals)
	{
		$text .= label(
			name_of($rivals[$i]),
			'graph 1',
			sprintf('graph %.5f', $heights[$i] / LINES_HEIGHT),
			"left offset 1,0 textcolor rgb '$style->{ $rivals[$i] }{colour}'");
	}

	return frame(
		$height,
		EDGE + widest(map { $_->[1] } @{ $axis->{marks} }) + GAP,
		EDGE + widest_name(@rivals) + GAP,
		HEAD, $chart->{titles})
	  . sprintf("set bmargin at screen %.5f\n", (FOOT + COUNTED_HEIGHT) / $height)
	  . set_axis('y', $axis)
	  . $text
	  . "set logscale x 2\n"
	  . sprintf("set xrange [%g:%g]\n", min(@x) / 1.1, max(@x) * 1.1)
	  . "set xtics ("
	  . join(', ', map { "'$_' $_" } @x) . ")\n"
	  . "set xlabel '"
	  . plain($numbers->{counted})
	  . "' textcolor rgb '${\GREY}' offset 0,0.3\n"
	  . $data
	  # The own line lies above the others
	  . 'plot ' . join(', ', reverse @plots) . "\n";
}

# The SVG of a table of results.  $question tells title and beside, $style the
# colours and marks.
sub chart_svg
{
	my ($question, $table, $major, $style) = @_;
	my $numbers = numbers_of(@{ $table->{cases} });
	my $beside = $question->{beside};
	my $relative = !$numbers && differ_in_kind($table, $beside);
	my $better = better($table->{measure});
	my $chart = {
		cases => [ cases_in_order(@{ $table->{cases} }) ],
		rivals => [ rivals_in_order(@{ $table->{rivals} }) ],
		spreads => spreads_of($table, $relative ? $beside : undef),
		numbers => $numbers,
		style => $style
	};
	my $rows = sum(map { scalar keys %$_ } values %{ $chart->{spreads} });
	my $draw = $numbers ? \&lines : $rows > BARS ? \&marks : \&bars;
	my $axis = axis_for($chart->{spreads}, 0, $draw != \&bars);

	$chart->{titles} = [
		"$question->{title}: $table->{measure}"
		  . ($relative ? ", in those of $beside" : '')
		  . (defined $better ? " ($better)" : ''),
		"PostgreSQL $major, "
		  . (
			$table->{rounds} == 1
			? 'one round'
			: "median of $table->{rounds} rounds, minimum and maximum")
		  . ($axis->{log} ? '; logarithmic scale' : '')
	];
	return run_gnuplot($draw->($chart));
}

1;

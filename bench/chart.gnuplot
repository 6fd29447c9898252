# chart.gnuplot
#	Draws a table of medians, a row a case and a column a rival: lines over
#	cases that are numbers, bars else.  bench/report sets title, data, columns, lines
#	and log.  The background is white, to be read on a dark page, too.
set terminal svg size 860,420 font 'sans-serif,13' background '#ffffff'
set encoding utf8
set title title noenhanced textcolor rgb '#1f2328'
set key outside top center horizontal textcolor rgb '#1f2328' noenhanced
set bmargin 3
set border 3 linecolor rgb '#59636e'
set tics nomirror scale 0 textcolor rgb '#1f2328' noenhanced
set grid ytics linetype 1 linecolor rgb '#eaeef2'
set format y (log && lines ? '%.0s%c' : '%.10g')
set datafile separator tab missing '?'
set decimalsign '.'
set style fill solid noborder
set style histogram clustered gap 1
set linetype 1 linecolor rgb '#0b5ed7' linewidth 3 pointtype 7
set linetype 2 linecolor rgb '#59636e' linewidth 2 pointtype 5
set linetype 3 linecolor rgb '#e8871e' linewidth 2 pointtype 9
set linetype 4 linecolor rgb '#b3401f' linewidth 2 pointtype 13
set linetype 5 linecolor rgb '#1a7f4b' linewidth 2 pointtype 15
set linetype 9 linecolor rgb '#8250df'
set linetype 10 linecolor rgb '#bf8700'
if (log) { set logscale y } else { set yrange [0:*] }
if (lines) {
	plot for [i = 2:columns + 1] data using (column(i)):xtic(1) with linespoints linetype i - 1 title columnheader(i)
} else {
	plot for [i = 2:columns + 1] data using i:xtic(1) with histograms linetype i - 1 title columnheader(i)
}

# Page.pm
#	The parts of the report, in Markdown.
package Page;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter   qw(import);
use List::Util qw(uniq);

use Claims;
use Figures;
use Measure;
use Questions;
use Rivals;
use Spread;

our @EXPORT = qw(head_section claims_section question_heading figures_table slug);

sub slug
{
	my ($text) = @_;

	return lc($text) =~ s/[^a-z0-9]+/-/gr =~ s/^-|-$//gr;
}

# The rows of a table, the first of which is its head.  A column is aligned as the
# letters say: l for texts, r for figures.
sub table
{
	my ($letters, $head, @rows) = @_;
	my %rule = (l => '---', r => '--:');
	my @lines = map {
		'| ' . join(' | ', map { s/\|/\\|/gr } @$_) . ' |'
	} $head, @rows;

	splice @lines, 1, 0, '|' . join('|', map { $rule{$_} } split //, $letters) . '|';
	return join('', map { "$_\n" } @lines);
}

sub versions_of
{
	my ($results) = @_;

	return @{ $results->{majors} };
}

# What the report is, and on what machines it was measured
sub head_section
{
	my ($results) = @_;
	my @majors = versions_of($results);
	my (@keys, %value);

	foreach my $major (@majors)
	{
		foreach my $entry (@{ $results->{machines}{$major} // [] })
		{
			push @keys, $entry->[0];
			$value{ $entry->[0] }{$major} = $entry->[1];
		}
	}
	return <<'EOT'
# sno, measured

What `make bench` measured: sno beside what one would use in its place. The figures of a version are all of one run, on the machine in its column. Written by `bench/report` from the figures of all rounds, which
are the files QUESTION.MAJOR.tsv in this folder.

EOT
	  . table(
		'l' x (1 + @majors),
		[ 'measured on', map { "PostgreSQL $_" } @majors ],
		map {
			my $key = $_;
			[ $key, map { $value{$key}{$_} // 'not recorded' } @majors ]
		} uniq(@keys)) . <<'EOT';

**How to read it.** In each round every rival has its turn, in an order that is drawn anew. A figure is the median of the rounds, with the least and the greatest in parentheses. ×2 says that it is
twice that of sno (or of the rival that is named): such ratios are computed within each round, where both had the same conditions, and are then the median of these. So they can differ a little from the ratio of
the medians.
EOT
}

# What a verdict says of the version, in a cell: with the case, if it is one of
# several
sub measured_text
{
	my ($verdict) = @_;
	my $text;

	return '–' if !defined $verdict;
	$text = $verdict->{spread} ? spread_text($verdict->{spread}) : 'not measured';
	return ($verdict->{cases} // 0) > 1 ? "$text, $verdict->{case}" : $text;
}

sub verdict_text
{
	my ($verdict) = @_;

	return 'not measured' if !$verdict->{spread};
	return ($verdict->{holds} ? 'yes' : '**no**') . ($verdict->{unanimous} ? '' : ', but not in every round');
}

# The verdicts of all versions in one cell, said once if they are the same
sub verdicts_text
{
	my (@verdicts) = @_;
	my @said = uniq(map { verdict_text($_->[1]) } @verdicts);

	return '–' if @said == 0;
	return $said[0] if @said == 1;
	return join('; ', map { "$_->[0]: " . verdict_text($_->[1]) } @verdicts);
}

sub claims_section
{
	my ($results, @claims) = @_;
	my @majors = versions_of($results);
	my %count = map { $_ => 0 } qw(holds fails missing);
	my @rows;

	foreach my $claim (@claims)
	{
		my $tables = $results->{questions}{ $claim->{question} };
		my %verdict = map { $_ => judge($claim, $_, $tables->{$_}) } @majors;
		my @concerned = grep { defined $verdict{$_} } @majors;

		foreach my $verdict (@verdict{@concerned})
		{
			$count{ !$verdict->{spread} ? 'missing' : $verdict->{holds} ? 'holds' : 'fails' }++;
		}
		push @rows,
		  [
			$claim->{name}, formula($claim), limit_text($claim),
			(map { measured_text($verdict{$_}) } @majors),
			verdicts_text(map { [ $_, $verdict{$_} ] } @concerned)
		  ];
	}
	return
		"\n## What was to be shown\n\n"
	  . "Of each claim the median of the rounds is compared with the limit, in the worst of its cases, which is named.\n"
	  . "Counted once for each version it is about: $count{holds} hold, $count{fails} "
	  . ($count{fails} == 1 ? 'does' : 'do')
	  . " not hold, $count{missing} "
	  . ($count{missing} == 1 ? 'was' : 'were')
	  . " not measured.\n\n"
	  . table('lll' . 'r' x @majors . 'l',
		[ 'claim', 'what is compared', 'limit', (map { "on $_" } @majors), 'holds' ], @rows);
}

sub question_heading
{
	my ($question) = @_;

	return "\n## $question->{title}\n" . ($question->{text} eq '' ? '' : "\n$question->{text}");
}

# A cell: the spread, and what it is in those of the rival beside it
sub cell
{
	my ($values, $rival, $beside) = @_;
	my $spread = spread($values->{$rival} // {});
	my $ratio = spread(ratios($values->{$rival} // {}, $values->{$beside} // {}));
	my $text;

	return '' if !defined $spread;
	$text = spread_text($spread);
	$text .= ' ×' . figure($ratio->{median}) if defined $ratio && $rival ne $beside;
	return $text;
}

# Rivals as rows, or as columns if there are fewer of them than cases
sub figures_table
{
	my ($table, $beside) = @_;
	my @cases = cases_in_order(@{ $table->{cases} });
	my @rivals = rivals_in_order(@{ $table->{rivals} });
	my $cells = sub {
		my ($case, $rival) = @_;
		my $cell = cell($table->{value}{$case}, $rival, $beside);

		return is_own($rival) && $cell ne '' ? "**$cell**" : $cell;
	};
	my $name = sub { is_own($_[0]) ? "**$_[0]**" : $_[0] };

	return table(
		'l' . 'r' x @rivals,
		[ '', map { $name->($_) } @rivals ],
		map {
			my $case = $_;
			[ $case, map { $cells->($case, $_) } @rivals ]
		} @cases) if @cases > @rivals;
	return table(
		'l' . 'r' x @cases,
		[ '', @cases ],
		map {
			my $rival = $_;
			[ $name->($rival), map { $cells->($_, $rival) } @cases ]
		} @rivals);
}

1;

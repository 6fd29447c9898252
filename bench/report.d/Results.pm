# Results.pm
#	Reads a folder of results: what was measured, and on what machine.
#
# QUESTION.MAJOR.tsv has the columns round, case, rival, measure and value.
# Within a case of a measure every rival has its turn in every round, so a file
# in which one is missing was not written to its end, and is refused like any
# other that is malformed.
#
#	my $results = read_results('bench/results');
#	$results->{machines}{18}			# [ [ key, value ], ... ]
#	$results->{questions}{calls}{18}	# one table for each measure, in the order of the file:
#										# { measure, cases, rivals, rounds, value }
#	$table->{value}{$case}{$rival}{$round}
package Results;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);

our @EXPORT = qw(read_results);

use constant COLUMNS => qw(round case rival measure value);

my $number = qr/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

# The fields of each line; a file that ends within a line was cut off
sub read_lines
{
	my ($file) = @_;
	my @lines;

	open(my $in, '<:encoding(UTF-8)', $file) or die "$file: $!\n";
	while (my $line = <$in>)
	{
		$line =~ s/\n$// or die "$file:$.: the line has no end\n";
		push @lines, [ split /\t/, $line, -1 ];
	}
	close($in) or die "$file: $!\n";
	return @lines;
}

sub read_machine
{
	my ($file) = @_;
	my @lines = read_lines($file);

	foreach my $i (0 .. $#lines)
	{
		@{ $lines[$i] } == 2 && $lines[$i][0] ne ''
		  or die sprintf("%s:%d: not a key and a value\n", $file, $i + 1);
	}
	return [ grep { "@$_" ne 'key value' } @lines ];
}

# Every rival of a case needs a value in each round of that case.  $last tells
# the last line of a round.
sub check_rounds
{
	my ($file, $table, $last) = @_;

	foreach my $case (@{ $table->{cases} })
	{
		my $values = $table->{value}{$case};

		foreach my $round (sort { $a <=> $b } keys %{ $last->{$case} })
		{
			my @missing = grep { !exists $values->{$_}{$round} } sort keys %$values;

			@missing == 0
			  or die sprintf(
				"%s:%d: round %d of \"%s\", %s, has no value of %s\n",
				$file, $last->{$case}{$round},
				$round, $case, $table->{measure}, join(', ', map { "\"$_\"" } @missing));
		}
	}
	return;
}

sub read_question
{
	my ($file) = @_;
	my ($header, @lines) = read_lines($file);
	my (@tables, %table, %seen, %last, %place);
	my $line = 1;

	defined $header && "@$header" eq join(' ', COLUMNS)
	  or die "$file:1: the header is not " . join(', ', COLUMNS) . "\n";
	foreach my $fields (@lines)
	{
		my ($round, $case, $rival, $measure, $value) = @$fields;
		my $table;

		$line++;
		@$fields == COLUMNS
		  or die sprintf(
			"%s:%d: %d fields in place of %d\n",
			$file, $line,
			scalar @$fields,
			scalar(my @columns = COLUMNS));
		foreach my $i (0 .. $#$fields)
		{
			$fields->[$i] =~ /\S/ or die "$file:$line: no " . (COLUMNS)[$i] . "\n";
		}
		$round =~ /^[1-9]\d*$/ or die "$file:$line: not the number of a round: \"$round\"\n";
		$value =~ $number      or die "$file:$line: not a number: \"$value\"\n";

		if (!$table{$measure})
		{
			$table{$measure} =
			  { measure => $measure, cases => [], rivals => [], rounds => 0, value => {} };
			push @tables, $table{$measure};
		}
		$table = $table{$measure};
		exists $table->{value}{$case}{$rival}{$round}
		  and die "$file:$line: a second value of \"$rival\" in round $round of \"$case\", $measure\n";
		$table->{value}{$case}{$rival}{$round} = $value;
		$last{$measure}{$case}{$round} = $line;
		$place{$case} //= $line;
		push @{ $table->{cases} }, $case if !$seen{$measure}{case}{$case}++;
		push @{ $table->{rivals} }, $rival if !$seen{$measure}{rival}{$rival}++;
		$table->{rounds} = $round if $round > $table->{rounds};
	}
	@tables > 0 or die "$file:1: nothing but a header\n";
	foreach my $table (@tables)
	{
		check_rounds($file, $table, $last{ $table->{measure} });
		# In one order for all measures, of which some may be in any order
		$table->{cases} = [ sort { $place{$a} <=> $place{$b} } @{ $table->{cases} } ];
	}
	return \@tables;
}

sub read_results
{
	my ($folder) = @_;
	my $results = { questions => {}, machines => {}, majors => [] };
	my (%majors, $names);

	opendir($names, $folder) or die "$folder: $!\n";
	foreach my $name (sort grep { /\.tsv$/ } readdir($names))
	{
		my $file = "$folder/$name";
		my ($what, $major) = $name =~ /^(.+)\.([1-9]\d*)\.tsv$/
		  or die "$file:1: the name is not QUESTION.MAJOR.tsv\n";

		if ($what eq 'machine')
		{
			$results->{machines}{$major} = read_machine($file);
		}
		else
		{
			$results->{questions}{$what}{$major} = read_question($file);
		}
		$majors{$major} = 1;
	}
	closedir($names);
	%{ $results->{questions} } or die "$folder: no results\n";
	$results->{majors} = [ sort { $a <=> $b } keys %majors ];
	return $results;
}

1;

# bench_report.pl
#	bench/report: medians, ratios within a round, what is said of claims, which
#	files are refused, and that the same figures give the same bytes.
#
# Usage: perl test/bench_report.pl
#
# Needs gnuplot.  The figures are made up so that a wrong way of computing shows.
use strict;
use warnings FATAL => 'all';
use utf8;

use File::Temp;
use FindBin;
use Test::More;

use lib "$FindBin::RealBin/../bench/report.d";
use Axis;
use Claims;
use Figures;
use Measure;
use Page;
use Questions;
use Results;
use Spread;

binmode(Test::More->builder->$_, ':encoding(UTF-8)') foreach qw(output failure_output todo_output);

my $report = "$FindBin::RealBin/../bench/report";
my $scratch = File::Temp->newdir;
my $folders = 0;

sub new_folder
{
	my $folder = "$scratch/" . ++$folders;

	mkdir($folder) or die "$folder: $!\n";
	return $folder;
}

sub write_file
{
	my ($file, $text) = @_;

	open(my $out, '>:encoding(UTF-8)', $file) or die "$file: $!\n";
	print $out $text;
	close($out) or die "$file: $!\n";
	return;
}

sub read_file
{
	my ($file) = @_;

	open(my $in, '<:encoding(UTF-8)', $file) or return undef;
	local $/;
	return scalar <$in>;
}

# Rows for [ case, rival, measure, value in round 1, 2, ... ]
sub rows
{
	my $text = "round\tcase\trival\tmeasure\tvalue\n";

	foreach my $row (@_)
	{
		my ($case, $rival, $measure, @values) = @$row;

		$text .= join("\t", $_ + 1, $case, $rival, $measure, $values[$_]) . "\n" foreach 0 .. $#values;
	}
	return $text;
}

# What the program says and returns
sub run_report
{
	my @command = ($^X, $report, @_);
	my $said;

	open(my $pipe, '-|:encoding(UTF-8)', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @command)
	  or die "sh: $!\n";
	$said = do { local $/; <$pipe> }
	  // '';
	close($pipe);
	return ($? >> 8, $said);
}

# Everything that is in a folder, in one string
sub bytes_of
{
	my ($folder) = @_;

	return join("\0", map { $_ =~ s/.*\///r, read_file($_) } sort glob("$folder/*"));
}

# Figures
is(median(7), 7, 'the median of one');
is(median(10, 9, 100), 10, 'the median of three, which are numbers and no texts');
is(median(4, 1, 100, 2), 3, 'the median of an even number is the mean of the middle two');

is_deeply(spread({ 1 => 5, 2 => 3, 3 => 11 }), { median => 5, min => 3, max => 11, rounds => 3 }, 'a spread');
is(spread({}), undef, 'without rounds there is no spread');
is_deeply(
	ratios({ 1 => 6, 2 => 8, 4 => 9 }, { 1 => 3, 3 => 1, 4 => 2 }),
	{ 1 => 2, 4 => 4.5 },
	'only rounds that both rivals have count');
is_deeply(ratios({ 1 => 6, 2 => 8 }, { 1 => 0, 2 => 4 }), { 2 => 2 }, 'nothing is divided by zero');

is(figure(1234567), '1,235,000', 'four digits and commas');
is(figure(99.97), '100', 'three digits, rounded up to the next power of ten');
is(figure(12.345), '12.3', 'three digits');
is(figure(0.012345), '0.0123', 'three digits of a small one');
is(figure(0), '0', 'zero');
is(spread_text({ median => 10, min => 9.96, max => 12 }), '10.0 (10.0–12.0)', 'decimals as in the median');
is(spread_text({ median => 10, min => 10, max => 10 }), '10.0', 'no spread, none shown');

# What follows from names
is(better('rows a second'), 'more is better', 'more of a rate');
is(better('tps'), 'more is better', 'more of tps');
is(better($_), 'less is better', "less of $_")
  foreach 'ns a call', 'p99 ms', 'WAL MB', 'ns, dependent', 'factor';
is(better('colour'), undef, 'nobody knows');
is_deeply(
	[ cases_in_order('16 clients', '1 client', '8 clients') ],
	[ '1 client', '8 clients', '16 clients' ],
	'cases in the order of their numbers');
is_deeply(
	[ cases_in_order('10 s', '1 min', '1 h') ],
	[ '10 s', '1 min', '1 h' ],
	'numbers of different things are none');

is_deeply([ map { $_->[1] } @{ linear_axis(3, 47)->{marks} } ], [qw(0 10 20 30 40)], 'marks of an axis');
is_deeply(
	[ map { $_->[1] } @{ log_axis(1, 20000)->{marks} } ],
	[ '1', '10', '100', '1,000', '10,000' ],
	'marks of a logarithmic axis');
is(place_on(log_axis(10, 100), 100), 1, 'the end of an axis');

# Claims
my $table = {
	measure => 'ns',
	cases => [ 'a', 'b' ],
	value => {
		a => { sno => { 1 => 10, 2 => 20, 3 => 30 }, other => { 1 => 30, 2 => 20, 3 => 60 } },
		b => { sno => { 1 => 10, 2 => 10, 3 => 10 }, other => { 1 => 15, 2 => 16, 3 => 17 } }
	}
};
my %claim = (
	name => 'It is fast',
	question => 'made',
	measure => 'ns',
	rival => 'other',
	over => 'sno',
	must => 'at least');

sub judged
{
	return judge({ %claim, @_ }, 17, [$table]);
}

is(judged(cases => ['a'], limit => 2)->{spread}{median},
	2, 'the median of the ratios, not the ratio of the medians, which is 1.5');
is(judged(cases => ['a'], limit => 2)->{holds}, 1, 'at least holds at the limit');
is(judged(cases => ['a'], limit => 2, must => 'more than')->{holds}, 0, 'more than does not');
is(judged(cases => ['a'], limit => 2, must => 'at most')->{holds}, 1, 'at most holds at the limit');
is(judged(cases => ['a'], limit => 2, must => 'less than')->{holds}, 0, 'less than does not');
is(judged(cases => ['a'], limit => 1)->{unanimous}, 1, 'all rounds say so');
is(judged(cases => ['a'], limit => 2)->{unanimous}, 0, 'not all rounds say so');
is(judged(limit => 1.5)->{case}, 'b', 'the worst case of at least is the least');
is(judged(limit => 1.5, must => 'at most')->{case}, 'a', 'the worst case of at most is the greatest');
is(judged(limit => 1, cases => ['b'], base => 'a')->{spread}{median},
	0.85, 'in that of another case, within the round');
is(judged(limit => 17, over => undef, cases => ['b'])->{spread}{median}, 16, 'a figure itself');
is_deeply(
	judged(limit => 1, cases => [ 'a', 'c' ]),
	{ case => 'c', cases => 2 },
	'a case that was not measured');
is_deeply(judged(limit => 1, rival => 'nobody'), { case => 'a', cases => 2 },
	'a rival that was not measured');
is_deeply(judged(limit => 1, measure => 'ms'), {}, 'a measure that was not measured');
is(judged(limit => 1, from => 18), undef, 'a claim that is about later versions');
is(judged(limit => 1, upto => 16), undef, 'a claim that is about earlier versions');

my $results = { majors => [ 17, 18 ], questions => { made => { 17 => [$table] } } };

sub claims_say
{
	return claims_section($results, { %claim, name => 'X', @_ }) =~ /^\| X \| .*? \| .*? \| (.*) \|$/m
	  ? $1
	  : undef;
}

is(claims_say(cases => ['a'], limit => 1, upto => 17), '2.00 (1.00–3.00) | – | yes', 'a claim that holds');
is( claims_say(limit => 1.7, upto => 17),
	'1.60 (1.50–1.70), b | – | **no**, but not in every round',
	'a claim that does not hold, with the worst case');
is( claims_say(cases => ['a'], limit => 4, upto => 17),
	'2.00 (1.00–3.00) | – | **no**',
	'a claim that never holds');
is( claims_say(cases => ['a'], limit => 1),
	'2.00 (1.00–3.00) | not measured | 17: yes; 18: not measured',
	'a claim that holds on one version');
is( claims_say(limit => 1, rival => 'nobody'),
	'not measured, a | not measured | not measured',
	'a claim without figures');
my @counted = (
	{ %claim, cases => ['a'], limit => 1, upto => 17 },
	{ %claim, cases => ['a'], limit => 2, upto => 17 },
	{ %claim, cases => ['a'], limit => 4, upto => 17 },
	{ %claim, cases => ['a'], limit => 1, from => 18 });
like(
	claims_section($results, @counted),
	qr/: 2 hold, 1 does not hold, 1 was not measured\./,
	'verdicts are counted');

foreach my $claim (claims())
{
	isnt(question_of($claim->{question})->{text}, '', "it is about a question that is known: $claim->{name}");
	isnt(judge($claim, $claim->{from} // $claim->{upto} // 18, []),
		undef, "some version concerns it: $claim->{name}");
}

# The whole program
my $folder = new_folder();

write_file("$folder/made.17.tsv",
	rows([ 'x', 'sno', 'ns', 1 ], [ 'a', 'sno', 'ns', 1 ], [ 'a', 'sno', 'ms', 1 ], [ 'x', 'sno', 'ms', 1 ]));
is_deeply(
	[ map { $_->{cases} } @{ read_results($folder)->{questions}{made}{17} } ],
	[ [ 'x', 'a' ], [ 'x', 'a' ] ],
	'cases are in the same order for all measures');

$folder = new_folder();
my $calls = rows(
	[ 'one | two', 'sno', 'ns a call', 10, 20, 30 ],
	[ 'one | two', 'bigserial', 'ns a call', 30, 20, 60 ],
	[ 'one | two', 'uuidv4', 'ns a call', 2000, 1990, 2010 ]);
my @made;

# Cases out of order, and a name that gnuplot would take for markup
foreach my $clients ('16 clients', '1 client', '4 clients', '2 clients')
{
	my ($count) = $clients =~ /(\d+)/;

	push @made, map { [ $clients, $_, 'tps', 100 * $count, 120 * $count ] } 'sno', 'a_b{c}';
	push @made, [ $clients, 'sno', 'ns', 1, 2 ], [ $clients, 'a_b{c}', 'ns', 1000, 2000 ];
}

# What it writes, but not what it reads
sub written
{
	my ($folder) = @_;

	return join("\0", map { $_, read_file($_) } sort glob("$folder/*.md $folder/*.svg"));
}

write_file("$folder/calls.17.tsv", $calls);
write_file("$folder/calls.18.tsv", rows([ 'one', 'sno', 'ns a call', 10 ]));
write_file("$folder/made.17.tsv", rows(@made));
write_file("$folder/machine.17.tsv", "key\tvalue\nCPU\tfast\n");
$ENV{PERL_HASH_SEED} = 1;
is((run_report($folder))[0], 0, 'a report is made');

my $page = read_file("$folder/REPORT.md");
my $before = bytes_of($folder);

like($page, qr/^\| CPU \| fast \| not recorded \|$/m, 'the machine is told');
like(
	$page,
	qr/^\| bigserial \| 30\.0 \(20\.0–60\.0\) ×2\.00 \|$/m,
	'median, spread, and the median of the ratios');
like($page, qr/^\| \*\*sno\*\* \| \*\*20\.0 \(10\.0–30\.0\)\*\* \|$/m, 'sno is in bold and has no ratio');
like($page, qr/^\|  \| one \\\| two \|$/m, 'a bar in a name is no column');
like($page, qr/^### ns a call \(less is better\)$/m, 'it is said that less is better');
like($page, qr/^## Made$/m, 'a question without a description has a section');
like(
	$page,
	qr/^\| 1 client \|.*\n\| 2 clients \|.*\n\| 4 clients \|.*\n\| 16 clients \|/m,
	'cases are rows if there are more of them than rivals, and in order');
like($page, qr/^\| 4 clients \| \*\*440 \(400–480\)\*\* \|/m, 'the mean of two rounds');
is( join(' ', sort $page =~ /\]\((.*?)\)/g),
	join(' ', map { $_ =~ s/.*\///r } sort glob("$folder/*.svg")),
	'the charts that are shown are those that were drawn');
is( join(' ', map { $_ =~ s/.*\///r } sort glob("$folder/*.svg")),
	'calls-ns-a-call.17.svg calls-ns-a-call.18.svg made-ns.17.svg made-tps.17.svg',
	'their names');
like(read_file("$folder/made-ns.17.svg"), qr/logarithmic scale/, 'rivals far apart: a logarithmic axis');
unlike(read_file("$folder/calls-ns-a-call.17.svg"), qr/logarithmic scale/, 'but not of bars');
unlike(read_file("$folder/made-tps.17.svg"), qr/logarithmic scale/, 'rivals close by: a linear one');
like(read_file("$folder/made-tps.17.svg"), qr/>a_b\{c\}</, 'names are not markup');
like(
	read_file("$folder/made-tps.17.svg"),
	qr/fill="#ffffff"|fill\s*=\s*"rgb\(255, *255, *255\)"/i,
	'a white background');

$ENV{PERL_HASH_SEED} = 2;
is((run_report($folder))[0], 0, 'it is made again');
is(bytes_of($folder), $before, 'the same figures give the same bytes');
delete $ENV{PERL_HASH_SEED};

# What is refused, with the line, and leaves the report as it is
my $written = written($folder);
#<<< a line for each, as far as it goes
my @refused = (
	[ 'a wrong header', $calls =~ s/rival/rivals/r, '1: the header is not round, case, rival, measure, value' ],
	[ 'no header', '', '1: the header is not round, case, rival, measure, value' ],
	[ 'only a header', rows(), '1: nothing but a header' ],
	[ 'a value that is no number', $calls =~ s/\t20$/\tfast/mr, '3: not a number: "fast"' ],
	[ 'a value that is not finite', $calls =~ s/\t20$/\tnan/mr, '3: not a number: "nan"' ],
	[ 'a round that is no number', $calls =~ s/^2\t/0\t/mr, '3: not the number of a round: "0"' ],
	[ 'a field too few', $calls =~ s/\t20$//mr, '3: 4 fields in place of 5' ],
	[ 'a field too many', $calls =~ s/\t20$/\t20\t20/mr, '3: 6 fields in place of 5' ],
	[ 'an empty rival', $calls =~ s/\tsno\t/\t\t/r, '2: no rival' ],
	[ 'a second value', $calls . "1\tone | two\tsno\tns a call\t7\n",
		'11: a second value of "sno" in round 1 of "one | two", ns a call' ],
	[ 'a round without a rival', $calls =~ s/^2\t.*bigserial.*\n//mr,
		'8: round 2 of "one | two", ns a call, has no value of "bigserial"' ],
	[ 'a line that was cut off', $calls =~ s/0\n\z//r, '10: the line has no end' ]);
#>>>

foreach my $refused (@refused)
{
	my ($name, $text, $error) = @$refused;
	my ($status, $said);

	write_file("$folder/calls.17.tsv", $text);
	($status, $said) = run_report($folder);
	is($status, 1, "$name: refused");
	like($said, qr/calls\.17\.tsv:\Q$error\E$/m, "$name: with file and line");
	is(written($folder), $written, "$name: the report is as it was");
}
write_file("$folder/calls.17.tsv", $calls);

write_file("$folder/machine.18.tsv", "CPU\tfast\nmemory\n");
like(
	(run_report($folder))[1],
	qr/machine\.18\.tsv:2: not a key and a value$/m,
	'half a record of a machine is refused');
unlink "$folder/machine.18.tsv";

write_file("$folder/calls.tsv", $calls);
like(
	(run_report($folder))[1],
	qr/calls\.tsv:1: the name is not QUESTION\.MAJOR\.tsv$/m,
	'a file of no version is refused');
unlink "$folder/calls.tsv";

mkdir "$folder/none";
{
	local $ENV{PATH} = "$folder/none";
	my $status = system("/bin/sh", '-c', '"$@" 2>/dev/null', 'sh', $^X, $report, $folder) >> 8;

	is($status, 1, 'without gnuplot it fails');
}
is(written($folder), $written, 'and the report is as it was');

is((run_report($folder))[0], 0, 'after all of that a report is made');
is(written($folder), $written, 'and it is the same');
is((run_report("$folder/none"))[0], 1, 'a folder without results is an error');
is((run_report())[0], 2, 'so is none');

done_testing();

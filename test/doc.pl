# doc.pl
#	Runs pages of documentation, for test/doc, which says how they are written:
#
#	doc.pl [--update] REFERENCE ERRCODES PAGE...
#
#	REFERENCE is what doc_reference.sql found, ERRCODES the server's list of the
#	names of SQLSTATEs.
use strict;
use warnings FATAL => 'all';

use File::Temp;
use List::Util qw(pairs);
use Test::More;

my $reference_page = 'doc/sno.md';
my $update = @ARGV && $ARGV[0] eq '--update' && shift @ARGV;
my ($reference_file, $errcodes_file, @pages) = @ARGV;
my $folder = File::Temp->newdir;

sub slurp
{
	my ($file) = @_;

	open my $handle, '<', $file or die "could not open $file: $!\n";
	local $/;
	return scalar readline $handle;
}

sub spew
{
	my ($file, $content) = @_;

	open my $handle, '>', $file or die "could not open $file: $!\n";
	print $handle $content;
	close $handle or die "could not write $file: $!\n";
	return;
}

# The fences of a page, each with its language, the numbers of its first and last
# line of content (from 0), and the mark before it; and the numbers of all lines
# outside of fences.  Dies where the page cannot mean what it says.
sub parse
{
	my ($page, @lines) = @_;
	my (@fences, @prose, $open, $mark);

	for my $i (0 .. $#lines)
	{
		my $where = "$page:" . ($i + 1);

		if ($open)
		{
			if ($lines[$i] =~ /^```\s*$/)
			{
				push @fences, { %$open, last => $i - 1 };
				undef $open;
			}
			next;
		}
		if ($lines[$i] =~ /^\s*(```|~~~)\s*(\S*)/)
		{
			my $language = $2;

			die "$where: a fence must be ``` at the left margin\n" if $lines[$i] !~ /^```/;
			die "$where: a block of SQL begins with ```sql\n"
			  if $language ne 'sql' && $language =~ /sql|postgres/i;
			$open = { language => $language, first => $i + 1, mark => $mark };
			undef $mark;
			next;
		}
		next if $lines[$i] =~ /^\s*$/;
		die "$where: there is no fence after the mark before this line\n" if $mark;
		if ($lines[$i] =~ /<!-- *(not run|not compared)\b/)
		{
			$lines[$i] =~ /^<!-- (not run|not compared): (\S.*) -->\s*$/
			  or die "$where: a mark needs its reason, and a line of its own\n";
			$mark = { kind => $1, reason => $2 };
		}
		push @prose, $i;
	}
	die "$page: a fence is not closed\n" if $open;
	die "$page: there is no fence after the last mark\n" if $mark;
	return (\@fences, \@prose);
}

# The blocks of SQL, each with the fence of its output if it has one
sub blocks
{
	my ($page, $lines, $fences) = @_;
	my @blocks;

	for my $i (0 .. $#$fences)
	{
		my $fence = $fences->[$i];
		my $before = $i > 0 ? $fences->[ $i - 1 ] : undef;
		my $between = $before
		  ? join('', @{$lines}[ $before->{last} + 2 .. $fence->{first} - 2 ]) : '';
		my $kind = $fence->{mark} ? $fence->{mark}{kind} : '';
		my $where = "$page:$fence->{first}";

		$between =~ s/^<!-- not compared: .*-->$//;
		if ($fence->{language} eq 'sql')
		{
			die "$where: SQL is run, or it is not\n" if $kind eq 'not compared';
			push @blocks, { %$fence, where => $where };
		}
		elsif ($fence->{language} eq '' && $between =~ /^\s*$/ &&
			@blocks && $blocks[-1]{first} == $before->{first})
		{
			die "$where: not run: this is an output\n" if $kind eq 'not run';
			$blocks[-1]{output} = $fence;
		}
		else
		{
			die "$where: neither SQL nor the output of any is after the mark\n" if $kind;
		}
	}
	return @blocks;
}

sub content
{
	my ($lines, $fence) = @_;

	return join('', map { "$_\n" } @{$lines}[ $fence->{first} .. $fence->{last} ]);
}

sub trim
{
	my ($output) = @_;

	$output =~ s/[ \t]+$//mg;
	$output =~ s/\n+\z/\n/;
	return $output eq "\n" ? '' : $output;
}

my $databases = 0;

# What psql says to each block, in a session of a database of their own
sub run
{
	my (@sql) = @_;
	my $marker = '== the end of block';
	my $database = 'doc_' . ++$databases;
	my $script = '';
	my @outputs;

	# A lone semicolon ends what a block left open, and says nothing otherwise
	$script .= "$sql[$_];\n\\echo '$marker $_'\n" foreach 0 .. $#sql;
	spew("$folder/script", $script);
	system('createdb', '-T', 'template0', $database) == 0 or die "no database\n";
	system("psql -X -q -d $database <'$folder/script' >'$folder/output' 2>&1");
	my $output = slurp("$folder/output");
	foreach (0 .. $#sql)
	{
		$output =~ s/\A(.*?)^\Q$marker $_\E\n//ms
		  or die "psql did not come to the end of block $_:\n$output";
		push @outputs, trim($1);
	}
	return @outputs;
}

# Runs the blocks of a page; returns its lines with what came out
sub try_page
{
	my ($page, $lines, @blocks) = @_;
	my @not_run = grep { $_->{mark} } @blocks;
	my @run = grep { !$_->{mark} } @blocks;
	my @outputs = run(map { content($lines, $_) } @run);
	my @not_compared;
	my $compared = 0;
	my @new = @$lines;

	foreach my $i (reverse 0 .. $#run)
	{
		my $fence = $run[$i]{output};

		next if !$fence;
		$compared++ if !$fence->{mark};
		if (!$fence->{mark} || $fence->{last} < $fence->{first})
		{
			splice @new, $fence->{first}, $fence->{last} - $fence->{first} + 1,
			  split(/\n/, $outputs[$i]);
		}
	}
	foreach my $i (0 .. $#run)
	{
		my ($where, $fence) = @{ $run[$i] }{qw(where output)};

		if ($fence && !$fence->{mark})
		{
			next if $update;
			is($outputs[$i], trim(content($lines, $fence)), "$where says what is shown");
		}
		else
		{
			push @not_compared, $fence if $fence;
			ok($outputs[$i] !~ /^(ERROR|FATAL|PANIC|invalid command|psql:|\\\S+: )/m,
				"$where runs")
			  or diag($outputs[$i]);
		}
	}
	diag(sprintf '%s: %d blocks run, %d of their outputs compared', $page,
		scalar @run, $compared);
	diag("$page:$_->{first}: $_->{mark}{kind}: $_->{mark}{reason}")
	  foreach @not_run, @not_compared;
	return @new;
}

# The anchors of a page, as GitHub makes them
sub anchors
{
	my ($page) = @_;
	my %anchors;

	my @lines = split /\n/, slurp($page);
	my (undef, $prose) = parse($page, @lines);
	foreach (map { $lines[$_] } @$prose)
	{
		next if !/^#+ +(.*)/;
		my $anchor = lc $1;

		utf8::decode($anchor);
		$anchor =~ s/[^\w\- ]//g;
		$anchor =~ tr/ /-/;
		$anchors{$anchor} = 1;
	}
	return %anchors;
}

sub check_links
{
	my ($page, @prose) = @_;
	my $base = $page =~ s/[^\/]*$//r;
	my @lost;

	foreach my $link (map { /\]\(([^)\s]+)\)/g } @prose)
	{
		next if $link =~ /^\w+:/;
		my ($file, $anchor) = split /#/, $link, 2;
		my $target = $file ne '' ? "$base$file" : $page;

		push @lost, $link
		  if !-e $target || defined $anchor && !{ anchors($target) }->{$anchor};
	}
	is("@lost", '', "$page: all links lead somewhere");
	return;
}

# Every function and setting that a page names is there
sub check_names
{
	my ($page, $text, $known) = @_;
	my %unknown;

	$unknown{$_} = 1
	  foreach grep { !$known->{$_} && !-e $_ } $text =~ /(?<![\w.])(sno_\w+\()/g,
	  $text =~ /`(sno\.\w+)(?:`| =)/g;
	is(join(' ', sort keys %unknown), '', "$page: names nothing that is not there");
	return;
}

# SQLSTATEs by their names, in C and in PL/pgSQL
sub errcodes
{
	my %codes;

	foreach (split /\n/, slurp($errcodes_file))
	{
		next if !/^(\w{5})\s+[ESW]\s+(ERRCODE_\w+)(?:\s+(\w+))?/;
		$codes{$2} = $1;
		$codes{$3} //= $1 if defined $3;   # the server takes the first
	}
	return %codes;
}

# The messages of a function in C, each with its SQLSTATE or, if it is no error,
# its level
sub function_messages
{
	my ($source, $function, $body, %codes) = @_;
	my $string = qr/"((?:[^"\\]|\\.)*)"/;
	my @messages;

	while ($body =~ /\b(ereport|ereturn)\((\w+)[^;]*?(?:errcode\((\w+)\)[^;]*?)?errmsg\($string/g)
	{
		my $level = $1 eq 'ereturn' || $2 eq 'ERROR' ? $codes{$3} : $2;
		my @formats = $4;

		# A message that is an argument is up to the callers
		@formats = $source =~ /\b$function\([^;{]*?$string\);/g if $formats[0] eq '%s';
		die "who calls $function, and with what message?\n" if !@formats;
		push @messages, map { [ $level, s/\\"/"/gr ] } @formats;
	}
	return @messages;
}

# The messages of the extension
sub messages
{
	my %codes = errcodes();
	my @messages;

	foreach my $file (glob 'src/*.[ch] src/*/*.[ch]')
	{
		my $source = slurp($file);
		my $count = () = $source =~ /\berrmsg\(/g;
		my $found = 0;

		while ($source =~ /^(\w+)\([^;{}]*\)\n\{(.*?)^\}/msg)
		{
			my ($function, $body) = ($1, $2);

			$found += () = $body =~ /\berrmsg\(/g;
			push @messages, function_messages($source, $function, $body, %codes);
		}
		die "$file has $count messages, of which $found were found\n" if $found != $count;
	}
	foreach my $file (glob 'sql/sno--*.sql')
	{
		push @messages, map { [ $codes{ $_->[1] }, $_->[0] =~ s/%/%s/gr ] }
		  pairs(slurp($file) =~ /RAISE EXCEPTION '((?:[^']|'')*)'.*?ERRCODE = '(\w+)'/gs);
	}
	return @messages;
}

# The reference has a row for each message, and none for what is never said
sub check_messages
{
	my ($text) = @_;
	my @rows = grep { $_->[0] =~ /^[0-9A-Z]{3,}$/ }
	  pairs($text =~ /^\| `(\w+)` \| `([^`]+)` \|/mg);
	my %messages = map { ("$_->[0] $_->[1]" => $_) } messages();
	my @missing;

	# The most particular ones choose first
	foreach my $name (sort { length $b <=> length $a || $a cmp $b } keys %messages)
	{
		my ($level, $format) = @{ $messages{$name} };
		my $pattern = join '.+', map { quotemeta } split /%l{0,2}[dsu]/, $format, -1;
		my ($row) = grep { $rows[$_][0] eq $level && $rows[$_][1] =~ /\A$pattern\z/ } 0 .. $#rows;

		if (defined $row)
		{
			splice @rows, $row, 1;
		}
		else
		{
			push @missing, $name;
		}
	}
	is(join("\n", @missing), '', 'the reference has every message, with its SQLSTATE or level: '
		  . keys %messages);
	is(join("\n", map { "@$_" } @rows), '', 'and none that the extension does not have');
	return;
}

sub check_reference
{
	my ($text, %reference) = @_;

	foreach my $kind (sort keys %reference)
	{
		my @missing = grep { index($text, $_) < 0 } @{ $reference{$kind} };

		is(join("\n", @missing), '',
			sprintf 'the reference has every %s: %d', $kind, scalar @{ $reference{$kind} });
	}
	my @events = map { /"(Sno\w+)"/g } slurp('src/generator/wait.c');
	is(join(' ', grep { index($text, "`$_`") < 0 } @events), '',
		'the reference has every wait event: ' . @events);
	check_messages($text);
	return;
}

my %reference;
foreach (split /\n/, slurp($reference_file))
{
	my ($kind, $text) = split /\t/;

	push @{ $reference{$kind} }, $text;
}
my %known = map { $_ => 1 } @{ delete $reference{name} };

foreach my $page (@pages)
{
	my $text = slurp($page);
	my @lines = split /\n/, $text;
	my ($fences, $prose) = parse($page, @lines);
	my @new = try_page($page, \@lines, blocks($page, \@lines, $fences));

	if ($update)
	{
		my $new = join('', map { "$_\n" } @new);

		spew($page, $new) if $new ne $text;
	}
	check_links($page, @lines[@$prose]);
	check_names($page, $text, \%known);
	check_reference($text, %reference) if $page eq $reference_page;
}
done_testing();

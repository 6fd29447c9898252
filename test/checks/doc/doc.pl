# doc.pl
#	Runs pages of documentation, for run beside it, which says how they are
#	written:
#
#	doc.pl [--update] REFERENCE PAGE...
#
#	REFERENCE is what reference.sql found.  Pages are run in the server of PGHOST.
use strict;
use warnings FATAL => 'all';

use File::Temp;
use List::Util qw(pairs uniq);
use Test::More;

# The reference: functions and messages in the first, settings and sno_stat in the
# second, the registry in the third
my @reference_pages = ('doc/sno.md', 'doc/administration.md', 'doc/registry.md');
my $update = @ARGV && $ARGV[0] eq '--update' && shift @ARGV;
my ($reference_file, @pages) = @ARGV;
my $folder = File::Temp->newdir;
my $databases = 0;

sub slurp
{
	local $/ = undef;
	open my $handle, '<', $_[0] or die "could not open $_[0]: $!\n";
	return scalar readline $handle;
}

sub spew
{
	my ($file, $content) = @_;

	open my $handle, '>', $file or die "could not open $file: $!\n";
	print $handle $content;
	return close($handle) || die "could not write $file: $!\n";
}

# The blocks of SQL of a page, each with its output if one is shown, and the text
# outside of all fences.  Dies where the page cannot mean what it says.
sub parse
{
	my ($page, $text) = @_;
	my (@blocks, $before_is_sql);
	my $prose = '';

	while ($text =~ /\G(.*?)^```([^\n]*)\n(.*?)^```[ \t]*\n/msgc)
	{
		my ($between, $language, %fence) = ($1, $2, content => $3, start => $-[3], end => $+[3]);

		$fence{where} = "$page:" . (1 + (substr($text, 0, $-[2]) =~ tr/\n//));
		$prose .= $between;
		$fence{mark} = "$1: $2" if $between =~ s/^<!-- (not run|not compared): (\S.*) -->\s*\z//m;
		die "$fence{where}: a mark before this needs its reason, and a fence after it\n"
		  if $between =~ /<!-- *not (run|compared)/;
		die "$fence{where}: a fence before this must be ``` at the left margin\n"
		  if $between =~ /^\s*(```|~~~)/m;
		die "$fence{where}: a block of SQL begins with ```sql\n"
		  if $language ne 'sql' && $language =~ /sql|postgres/i;
		my $is_output = $language eq '' && $between =~ /\A\s*\z/ && $before_is_sql;
		die "$fence{where}: not what such a mark is for\n"
		  if ($fence{mark} // '') =~ /^not (run|compared)/ && !($1 eq 'run' ? $language eq 'sql' : $is_output);
		push @blocks, \%fence if $language eq 'sql';
		$blocks[-1]{output} = \%fence if $is_output;
		$before_is_sql = $language eq 'sql';
	}
	$prose .= substr($text, pos $text // 0);
	die "$page: a fence is not closed, or a mark is before none\n" if $prose =~ /^\s*```|<!-- not run[^\n]*\s*\z/m;
	return ($prose, @blocks);
}

sub trim
{
	return $_[0] =~ s/[ \t]+$//mgr =~ s/\n+\z/\n/r =~ s/\A\n\z//r;
}

# What psql says to each block, in a session of a database of their own
sub run
{
	my (@blocks) = @_;
	my $marker = '== the end of block';
	my $database = 'doc_' . ++$databases;
	my @outputs;

	# A lone semicolon ends what a block left open, and says nothing otherwise
	spew("$folder/script", join '', map { "$blocks[$_]{content};\n\\echo '$marker $_'\n" } 0 .. $#blocks);
	system('createdb', '-T', 'template0', $database) == 0 or die "no database\n";
	system("psql -X -q -d $database <'$folder/script' >'$folder/output' 2>&1");
	my $output = slurp("$folder/output");
	foreach (0 .. $#blocks)
	{
		$output =~ s/\A(.*?)^\Q$marker $_\E\n//ms
		  or die "psql did not come to the end of block $_:\n$output";
		push @outputs, trim($1);
	}
	return @outputs;
}

# Runs the blocks of a page; returns its text with what came out, where that is
# compared, or where nothing was shown
sub try_page
{
	my ($page, $text, @blocks) = @_;
	my @run = grep { !$_->{mark} } @blocks;
	my @before = $text =~ /^<!-- after: (\S+) -->$/m ? grep { ref && !$_->{mark} } parse($1, slurp($1)) : ();
	my @said = run(@before, @run);

	splice @said, 0, @before;

	foreach my $i (0 .. $#run)
	{
		my ($where, $output) = @{ $run[$i] }{qw(where output)};

		if (!$output || $output->{mark})
		{
			unlike($said[$i], qr/^(ERROR|FATAL|PANIC|invalid command|psql:|\\\S+: )/m, "$where runs");
		}
		elsif (!$update)
		{
			is($said[$i], trim($output->{content}), "$where says what is shown");
		}
	}
	# From the end, as what is before stays where it is
	foreach my $i (reverse grep { $run[$_]{output} } 0 .. $#run)
	{
		my $output = $run[$i]{output};

		substr($text, $output->{start}, $output->{end} - $output->{start}) = $said[$i]
		  if !$output->{mark} || $output->{content} eq '';
	}
	diag("$_->{where}: $_->{mark}")
	  foreach grep { $_->{mark} } map { ($_, $_->{output} // ()) } @blocks;
	return $text;
}

# The anchors of a page, as GitHub makes them
sub anchors
{
	my ($page) = @_;
	my ($prose) = parse($page, slurp($page));

	utf8::decode($prose);
	return map { (lc =~ s/[^\w\- ]//gr =~ tr/ /-/r, 1) } $prose =~ /^#+ +(.*)/mg;
}

sub check_links
{
	my ($page, $prose) = @_;
	my $base = $page =~ s/[^\/]*$//r;
	my @lost;

	foreach my $link ($prose =~ /\]\(([^)\s]+)\)/g)
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

# Code in other languages, and the table it is for, is shown as in a file of the
# examples or of make test-clients, where only all of it may be further to the right
sub check_code
{
	my ($page, $text) = @_;
	my @sources =
		map { slurp($_) } grep { -f } glob 'examples/* test/systems/clients/table.sql test/systems/clients/ruby/*';
	my @lost;

	while ($text =~ /^(<!-- tried by hand: \S[^\n]* -->\n)?```\w+\n(.*?)^```$/msg)
	{
		my ($by_hand, $block) = ($1, $2);
		my ($first, @others) = map { quotemeta } split /\n/, $block;
		my $pattern = join '\n', "^([ \t]*)$first", map { $_ eq '' ? '' : "\\1$_" } @others;

		push @lost, $block if !$by_hand && !grep { /$pattern$/m } @sources;
	}
	return is(join("\n", @lost), '', "$page: its code is that of the examples");
}

# Every function and setting that a page names is there
sub check_names
{
	my ($page, $text, %known) = @_;
	return is(join(' ', grep { !$known{$_} && !-e $_ } $text =~ /(?<![\w.])(sno_\w+\()/g, $text =~ /`(sno\.\w+)(?:`| =)/g),
		'', "$page: names nothing that is not there");
}

# The reference has a row for each message of the extension, and none for what is never
# said
sub check_messages
{
	my ($text) = @_;
	my $string = qr/"((?:[^"\\]|\\.)*)"/;
	my $sources = join '', map { slurp($_) } glob 'src/*.c src/*/*.[ch]';
	my $scripts = join '', map { slurp($_) } glob 'sql/sno/*.sql sql/registry/*.sql';
	my %messages = map { s/\\"/"/gr =~ s/%l{0,2}[dgsu]/%/gr => 1 } $sources =~ /\berrmsg(?:_plural)?\($string/g,
	  $scripts =~ /RAISE (?:EXCEPTION|WARNING) '((?:[^']|'')*)'/g;
	my @rows = uniq map { $$_[1] } grep { $$_[0] =~ /^[0-9A-Z]{3,}$/ } pairs($text =~ /^\| `(\w+)` \| `([^`]+)` \|/mg);
	my @missing;

	# The most particular ones choose first
	foreach my $message (sort { length $b <=> length $a || $a cmp $b } keys %messages)
	{
		my $pattern = join '.+', map { quotemeta } split /%/, $message, -1;
		my ($row) = grep { $rows[$_] =~ /\A$pattern\z/ } 0 .. $#rows;

		defined $row ? splice @rows, $row, 1 : push @missing, $message;
	}
	is(join("\n", @missing), '', 'the reference has every message: ' . keys %messages);
	is(join("\n", @rows), '', 'and none that the extension does not have');
	return;
}

sub check_reference
{
	my ($text, %reference) = @_;

	$reference{'wait event'} = [ map { "`$_`" } slurp('src/server/wait.c') =~ /"(Sno\w+)"/g ];
	foreach my $kind (sort keys %reference)
	{
		my @missing = grep { index($text, $_) < 0 } @{ $reference{$kind} };

		is(join("\n", @missing), '',
			sprintf 'the reference has every %s: %d', $kind, scalar @{ $reference{$kind} });
	}
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
	my ($prose, @blocks) = parse($page, $text);
	my $new = try_page($page, $text, @blocks);

	spew($page, $new) if $update && $new ne $text;
	check_links($page, $prose);
	check_names($page, $text, %known);
	check_code($page, $text) if $page eq 'doc/clients.md';
	check_reference(join('', map { slurp($_) } @reference_pages), %reference) if $page eq $reference_pages[0];
}
done_testing();

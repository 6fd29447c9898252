# doc.pl
#	Is every block of code in doc/clients.md in a program that is run?
#
# Usage: perl test/systems/clients/doc.pl, in the root of the checkout.  Prints TAP.
#
# A block has to be there line by line; only the program may have it further to
# the right.  The language says which program.
use strict;
use warnings FATAL => 'all';

use Test::More;

my %program = (
	c => 'test/systems/clients/libpq.c',
	duckdb => 'examples/*.duckdb.sql',
	go => 'test/systems/clients/go/*.go',
	java => 'test/systems/clients/java/Client.java',
	js => '{test/systems/clients/node,examples}/*.js',
	python => '{test/systems/clients/python/{,app/,app/migrations/},examples/}*.py',
	sql => 'test/systems/clients/table.sql');
my $doc = 'doc/clients.md';

sub content
{
	my ($file) = @_;

	open my $handle, '<', $file or die "$file: $!\n";
	local $/;
	return scalar <$handle>;
}

# What matches the lines of a block, all of them indented by as much more
sub pattern
{
	my ($block) = @_;
	my $indent = '([ \t]*)';
	my @patterns;

	for my $line (split /\n/, $block)
	{
		push @patterns, $line eq '' ? '' : $indent . quotemeta $line;
		$indent = '\1' if $line ne '';
	}
	return '^' . join('\n', @patterns) . '$';
}

my %shown;
my $text = content($doc);
while ($text =~ /^```(\S*)\n(.*?)^```$/msg)
{
	my ($language, $block) = ($1, $2);
	my $before = substr($text, 0, $-[0]);
	next if $before =~ /<!-- tried by hand: \S.* -->\n\z/;
	my $line = 1 + $before =~ tr/\n//;
	my @files = glob($program{$language} // '');
	my ($found) = grep { my $pattern = pattern($block); content($_) =~ /$pattern/m } @files;

	$shown{$language}++ if $found;
	ok(defined $found, "$doc, line $line: " . ($found // "none of the programs has it"))
		or diag($block);
}
ok($shown{$_}, "$doc shows $_") for sort keys %program;
done_testing();

# doc.pl
#	Is every block of code in doc/clients.md in a file that is run?
#
# Usage: perl test/systems/clients/doc.pl, in the root of the checkout.  Prints TAP.
#
# A block has to be in a file of examples/ line by line; only the file may have it
# further to the right.  SQL is in table.sql, and what Rails' migrations are in its test.
use strict;
use warnings FATAL => 'all';

use Test::More;

my %elsewhere = (
	ruby => 'test/systems/clients/ruby/active_record.rb',
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
	my ($first, @others) = map { quotemeta } split /\n/, shift;

	return join('\n', "^([ \t]*)$first", map { $_ eq '' ? '' : "\\1$_" } @others) . '$';
}

my $text = content($doc);
while ($text =~ /^```(\S*)\n(.*?)^```$/msg)
{
	my ($language, $block) = ($1, $2);
	my $before = substr($text, 0, $-[0]);
	next if $before =~ /<!-- tried by hand: \S.* -->\n\z/;
	my $line = 1 + $before =~ tr/\n//;
	my @files = glob($elsewhere{$language} // 'examples/*');
	my ($found) = grep { my $pattern = pattern($block); content($_) =~ /$pattern/m } @files;

	ok(defined $found, "$doc, line $line: " . ($found // 'no file has it')) or diag($block);
}
done_testing();

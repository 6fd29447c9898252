#!/usr/bin/env perl
# walls.pl
#	Which folder of src may include what, and no circle among the headers.
#
# Usage: test/checks/build/walls.pl
use strict;
use warnings FATAL => 'all';

use File::Basename qw(dirname);
use Test::More;

chdir dirname($0) . '/../../../src' or die "could not find the sources: $!\n";

# What each folder, and each file of src itself, includes besides itself and the
# C library
my %sees = (
	'core' => [],
	'type' => [qw(core compat.h server)],
	'planner' => [qw(core type compat.h server)],
	'server' => [qw(core type compat.h functions generator postgres)],
	'generator' => [qw(core server functions compat.h postgres)],
	'compat.h' => [qw(server)],
	'functions' => [qw(core type planner compat.h server)],
	'module.c' => [qw(type generator compat.h server)],
);

# What each file includes: a name is looked for as the compiler does, and if src
# has no such file, it is the server's
my %includes;
foreach my $file (glob '*.[ch] */*.[ch]')
{
	open my $source, '<', $file or die "could not read $file: $!\n";
	$includes{$file} = [];
	foreach my $name (map { /^\s*#\s*include\s*"(.+?)"/ ? $1 : () } <$source>)
	{
		my ($found) = grep { -e } dirname($file) . "/$name", $name;

		$found //= "server/$name";
		1 while $found =~ s{^\./|[^/.]+/\.\./}{};
		push @{ $includes{$file} }, $found;
	}
}

sub folder_of { return $_[0] =~ s{/.*}{}r }

# The way from a header back to itself, if there is one
sub circle
{
	my ($file, @way) = @_;

	return join ' includes ', @way, $file if @way && $file eq $way[0];
	return if grep { $_ eq $file } @way;
	return map { circle($_, @way, $file) } @{ $includes{$file} };
}

is(join("\n", grep { !$sees{ folder_of($_) } } sort keys %includes),
	'', 'each file of src has its place');
foreach my $folder (sort keys %sees)
{
	my %may = map { $_ => 1 } $folder, @{ $sees{$folder} };
	my @broken;

	foreach my $file (grep { folder_of($_) eq $folder } sort keys %includes)
	{
		push @broken, map { "$file includes $_" }
		  grep { !$may{ folder_of($_) } } @{ $includes{$file} };
	}
	is(join("\n", @broken), '', join ' ', $folder, 'sees only', $folder, @{ $sees{$folder} });
}
is(join("\n", map { circle($_) } grep { /\.h$/ } sort keys %includes),
	'', 'no header includes itself by way of others');
done_testing();

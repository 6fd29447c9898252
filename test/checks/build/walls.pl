#!/usr/bin/env perl
# walls.pl
#	Which folder of src may include and call what, and which header declares it; no
#	circle among its files.
#
# Usage: test/checks/build/walls.pl, where the extension is built
#
# X.c and X.h are one, X.  It includes what either does, and calls what X.o needs of
# another object.  What a header has inline is called by who includes that.
use strict;
use warnings FATAL => 'all';

use File::Basename qw(dirname);
use Test::More;

chdir dirname($0) . '/../../../src' or die "could not find the sources: $!\n";

# What each folder, and each file of src itself, includes and calls besides itself
# and the C library
my %sees = (
	'core' => [],
	'type' => [qw(core compat postgres)],
	'planner' => [qw(core type compat postgres)],
	'server' => [qw(core compat postgres)],
	'generator' => [qw(core server)],
	'functions' => [qw(core type server generator compat postgres)],
	'compat' => [qw(postgres)],
	'module' => [qw(type server functions compat postgres)],
);

my (%uses, %owner, %needs);

# An include is looked for as the compiler does, and if src has no such file, it is
# the server's
foreach my $file (glob '*.[ch] */*.[ch]')
{
	my $of = $file =~ s/\.[ch]$//r;

	open my $source, '<', $file or die "could not read $file: $!\n";
	$uses{$of} //= {};
	foreach my $name (map { /^\s*#\s*include\s*"(.+?)\.h"/ } <$source>)
	{
		my ($found) = grep { -e "$_.h" } dirname($file) . "/$name", $name;

		$uses{$of}{ ($found // "postgres/$name") =~ s{^\./}{}r } = "$file includes";
	}
}

foreach (`nm -A --format=posix @{[ map { "$_.o" } grep { -e "$_.c" } keys %uses ]}`)
{
	my ($of, $name, $kind) = /^(\S+)\.o: (\S+) (\w)/ or die "nm says: $_";

	$kind eq 'U' ? $needs{$of}{$name} = 1 : $kind eq 'T' && ($owner{$name} = $of);
}
die "the extension is not built here\n" if $? != 0 || !%owner;
foreach my $of (keys %needs)
{
	$uses{$of}{ $owner{$_} } = "$of.c calls $_() of" foreach grep { defined $owner{$_} } keys %{ $needs{$of} };
}

sub folder_of { return $_[0] =~ s{/.*}{}r }

foreach my $folder (sort keys %sees)
{
	my %may = map { $_ => 1 } $folder, @{ $sees{$folder} };
	my @broken;

	foreach my $of (grep { folder_of($_) eq $folder } sort keys %uses)
	{
		push @broken, map { "$uses{$of}{$_} $_" } grep { !$may{ folder_of($_) } } sort keys %{ $uses{$of} };
	}
	is(join("\n", @broken), '', join ' ', $folder, 'includes and calls only', $folder, @{ $sees{$folder} });
}
is(join("\n", grep { !$sees{ folder_of($_) } } sort keys %uses), '', 'each file of src has its place');

open my $sort, '|-', 'tsort >/dev/null' or die "could not run tsort: $!\n";
foreach my $of (keys %uses)
{
	print $sort "$of $_\n" foreach grep { $_ ne $of } keys %{ $uses{$of} };
}
ok(close $sort, 'no file includes or calls itself by way of others');
# "/* X.c" above declarations names the file
my @strays;
foreach my $header (glob '*.h */*.h')
{
	my $of = $header =~ s/\.h$//r;

	open my $source, '<', $header or die "could not read $header: $!\n";
	foreach (<$source>)
	{
		$of = dirname($header) . "/$1" if m{^/\* (\w+)\.c\b};
		push @strays, "$header: $1() of $owner{$1}"
		  if /^(?:_Noreturn )?extern [^;(]*?(\w+)\(/ && ($owner{$1} // $of) ne $of;
	}
}
is(join("\n", @strays), '', 'a header declares what the .c file of its name defines, or one that it names above');
done_testing();

#!/usr/bin/env perl
# walls.pl
#	Which folder of src may include and call what; no circle among the headers,
#	and none among the files of a folder by what they call.
#
# Usage: test/checks/build/walls.pl
#
# Calls go by names: a function that X.c or X.h defines belongs to X, and who
# names it calls X, also where the compiler would inline it.
use strict;
use warnings FATAL => 'all';

use File::Basename qw(dirname);
use Test::More;

chdir dirname($0) . '/../../../src' or die "could not find the sources: $!\n";

# What each folder, and each file of src itself, includes and calls besides itself
# and the C library
my %sees = (
	'core' => [],
	'type' => [qw(core compat.h postgres)],
	'planner' => [qw(core type compat.h postgres)],
	'server' => [qw(core compat.h postgres)],
	'generator' => [qw(core server)],
	'functions' => [qw(core type server generator compat.h postgres)],
	'compat.h' => [qw(postgres)],
	'module.c' => [qw(type server functions compat.h postgres)],
);

my (%includes, %names, %owner, %named_in);

# X of X.c and X.h
sub of { return $_[0] =~ s/\.[ch]$//r }
sub folder_of { return $_[0] =~ s{/.*}{}r }

sub slurp
{
	my ($file) = @_;

	open my $source, '<', $file or die "could not read $file: $!\n";
	local $/ = undef;
	return scalar <$source>;
}

# Without comments, strings and declarations
sub code_of
{
	my ($code) = @_;

	$code =~ s{/\*.*?\*/}{}gs;
	$code =~ s/"(?:[^"\\\n]|\\.)*"/""/g;
	$code =~ s/^(?:_Noreturn )?extern .*?;//gms;
	return $code;
}

# An include is looked for as the compiler does, and if src has no such file, it is
# the server's.  A definition begins a line with its name, after one with its type;
# a static one in a .c file is of no other file.
foreach my $file (glob '*.[ch] */*.[ch]')
{
	my $text = slurp($file);
	my $code = code_of($text);

	$includes{$file} = [];
	foreach my $name ($text =~ /^\s*#\s*include\s*"(.+?)"/gm)
	{
		my ($found) = grep { -e } dirname($file) . "/$name", $name;

		$found //= "postgres/$name";
		1 while $found =~ s{^\./|[^/.]+/\.\./}{};
		push @{ $includes{$file} }, $found;
	}
	while ($code =~ /^(\w[^\n;{}#]*)\n(\w+)\(/gm)
	{
		my ($type, $function) = ($1, $2);

		$owner{$function} = of($file) if $file =~ /\.h$/ || $type !~ /\bstatic\b/;
	}
	# Which function names which; what no function names, the file does
	my $within = 'the file';
	foreach my $line (split /\n/, $code)
	{
		$within = $1 if $line =~ /^(\w+)\(/;
		$names{$file}{$_} //= $within foreach $line =~ /\b\w+\b/g;
	}
}

# The way from a node back to itself, if there is one
sub circle
{
	my ($next, $node, @way) = @_;

	return join ' to ', @way, $node if @way && $node eq $way[0];
	return if grep { $_ eq $node } @way;
	return map { circle($next, $_, @way, $node) } sort keys %{ $next->{$node} };
}

# Files that each file calls, and how
my %calls;
foreach my $file (sort keys %names)
{
	foreach my $function (sort keys %{ $names{$file} })
	{
		my $other = $owner{$function};

		next if !defined $other || $other eq of($file);
		$calls{ of($file) }{$other} //= "$names{$file}{$function}() of $file calls $function() of $other";
	}
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
	foreach my $file (grep { folder_of($_) eq of($folder) } sort keys %calls)
	{
		push @broken, map { $calls{$file}{$_} }
		  grep { !$may{ folder_of($_) } && !$may{"$_.h"} } sort keys %{ $calls{$file} };
	}
	is(join("\n", @broken), '', join ' ', $folder, 'includes and calls only', $folder, @{ $sees{$folder} });
}

my %headers =
	map { my $file = $_; ($file => { map { $_ => 1 } @{ $includes{$file} } }) } grep { /\.h$/ } keys %includes;
is(join("\n", map { circle(\%headers, $_) } sort keys %headers),
	'', 'no header includes itself by way of others');

is(join("\n", map { circle(\%calls, $_) } sort keys %calls), '', 'no file calls itself by way of others');
done_testing();

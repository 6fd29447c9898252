#!/usr/bin/env perl
# meta.pl
#	META.json is what PGXN takes: the rules of the PGXN Meta Spec 1.0.0 for the
#	fields that it has, and the files that it names.
#
# Usage: test/meta.pl
#
# A rule that nothing breaks shows nothing: each is tried on a copy of the
# metadata that breaks it.
use strict;
use warnings;

use File::Basename qw(dirname);
use JSON::PP;
use Test::More;

chdir dirname($0) . '/..' or die "could not find the checkout: $!\n";

# Kinds of values: what is wrong with one, or nothing
sub text
{
	my ($value) = @_;
	return defined $value && !ref $value && $value =~ /\S/ ? () : 'no text';
}

sub one_of
{
	my %known = map { $_ => 1 } @_;
	return sub { $known{ $_[0] // '' } ? () : 'none of the known values' };
}

# A name: no space, no slash, and not a single character
sub term
{
	my ($value) = @_;
	return text($value)
	  || ($value =~ m{\A[^\s[:cntrl:]/\\]{2,}\z} ? () : 'not a name');
}

sub tag
{
	my ($value) = @_;
	return text($value)
	  || ($value =~ m{\A[^[:cntrl:]/\\]{1,256}\z} ? () : 'not a tag');
}

my $number = qr/(?:0|[1-9][0-9]*)/;

sub version
{
	my ($value) = @_;
	return text($value)
	  || ($value =~ /\A$number\.$number\.$number(?:-[0-9A-Za-z-]+)?\z/
		? ()
		: 'not a semantic version');
}

# 0 is any version
sub versions
{
	my ($value) = @_;
	my @wrong = text($value);

	for my $range (@wrong ? () : split /,\s*/, $value, -1)
	{
		$range =~ s/\A(?:<=|>=|==|!=|<|>)\s*//;
		push @wrong, $range eq '0' ? () : version($range);
	}
	return @wrong;
}

sub url
{
	my ($value) = @_;
	return text($value) || ($value =~ m{\A[a-z][a-z0-9+.-]*://[^/\s]+} ? () : 'not a URL');
}

# A file of the distribution
sub file
{
	my ($value) = @_;
	return text($value) || (-f $value && $value !~ m{\A/|\A\.\.?/} ? () : 'not a file');
}

sub directory
{
	my ($value) = @_;
	return text($value) || (-d $value && $value !~ m{\A/} ? () : 'not a directory');
}

sub list_of
{
	my ($kind) = @_;
	return sub {
		my ($value) = @_;
		return 'not a list' if ref $value ne 'ARRAY' || !@$value;
		return map { $kind->($_) } @$value;
	};
}

# Names of one kind, values of another
sub map_of
{
	my ($name, $kind) = @_;
	return sub {
		my ($value) = @_;
		return 'not a map' if ref $value ne 'HASH' || !%$value;
		return map { $name->($_), within($_, $kind->($value->{$_})) } sort keys %$value;
	};
}

# A map with fields of its own, some of which have to be there
sub fields
{
	my ($required, %kind) = @_;
	return sub {
		my ($value) = @_;
		my @wrong;

		return 'not a map' if ref $value ne 'HASH';
		for my $name (split ' ', $required)
		{
			push @wrong, "$name: missing" if !exists $value->{$name};
		}
		for my $name (sort keys %$value)
		{
			# Whoever invents a field calls it x_something
			next if $name =~ /\Ax_/i;
			push @wrong,
			  $kind{$name}
			  ? within($name, $kind{$name}->($value->{$name}))
			  : "$name: unknown";
		}
		return @wrong;
	};
}

sub within
{
	my ($name, @wrong) = @_;
	return map { "$name: $_" } @wrong;
}

my $metadata = fields(
	'name version abstract maintainer license provides meta-spec',
	name => \&term,
	version => \&version,
	abstract => \&text,
	description => \&text,
	maintainer => sub { ref $_[0] ? list_of(\&text)->($_[0]) : text($_[0]) },
	license => one_of('postgresql'),
	release_status => one_of(qw(stable testing unstable)),
	generated_by => \&text,
	tags => list_of(\&tag),
	no_index => fields('', file => list_of(\&file), directory => list_of(\&directory)),
	provides => map_of(\&term, fields('file version',
		file => \&file,
		version => \&version,
		abstract => \&text,
		docfile => \&file)),
	prereqs => map_of(
		one_of(qw(configure build test runtime develop)),
		map_of(one_of(qw(requires recommends suggests conflicts)), map_of(\&term, \&versions))),
	resources => fields('',
		homepage => \&url,
		bugtracker => fields('', web => \&url, mailto => \&text),
		repository => fields('', web => \&url, url => \&url, type => \&text)),
	'meta-spec' => fields('version', version => one_of('1.0.0'), url => \&url));

open my $in, '<:raw', 'META.json' or die "could not open META.json: $!\n";
my $json = do { local $/ = undef; <$in> };
my @wrong = $metadata->(decode_json($json));
is_deeply(\@wrong, [], 'META.json is what PGXN takes');

# What is wrong, what has to be said then, and the change that makes it so
my @broken = (
	[ 'no licence', 'license: missing',
		sub { delete $_->{license} } ],
	[ 'a licence nobody knows', 'license: none of the known values',
		sub { $_->{license} = 'postgres' } ],
	[ 'no abstract', 'abstract: no text',
		sub { $_->{abstract} = ' ' } ],
	[ 'a name of two words', 'name: not a name',
		sub { $_->{name} = 'sno id' } ],
	[ 'a version of two numbers', 'version: not a semantic version',
		sub { $_->{version} = '1.0' } ],
	[ 'a version with a zero before it', 'provides: sno: version: not a semantic version',
		sub { $_->{provides}{sno}{version} = '1.00.0' } ],
	[ 'a file that is not there', 'provides: sno: docfile: not a file',
		sub { $_->{provides}{sno}{docfile} = 'doc/none.md' } ],
	[ 'no extension', 'provides: not a map',
		sub { $_->{provides} = {} } ],
	[ 'an extension without a file', 'provides: sno: file: missing',
		sub { delete $_->{provides}{sno}{file} } ],
	[ 'a phase nobody knows', 'prereqs: none of the known values',
		sub { $_->{prereqs}{later} = $_->{prereqs}{runtime} } ],
	[ 'a range that is none', 'prereqs: runtime: requires: PostgreSQL: not a semantic version',
		sub { $_->{prereqs}{runtime}{requires}{PostgreSQL} = '=> 15.0.0' } ],
	[ 'a tag with a slash', 'tags: not a tag',
		sub { push @{ $_->{tags} }, 'a/b' } ],
	[ 'a status nobody knows', 'release_status: none of the known values',
		sub { $_->{release_status} = 'final' } ],
	[ 'a folder that is not there', 'no_index: directory: not a directory',
		sub { $_->{no_index}{directory} = ['none'] } ],
	[ 'a home page without a scheme', 'resources: homepage: not a URL',
		sub { $_->{resources}{homepage} = 'sno.example' } ],
	[ 'another version of the specification', 'meta-spec: version: none of the known values',
		sub { $_->{'meta-spec'}{version} = '2.0.0' } ],
	[ 'a field nobody knows', 'licence: unknown',
		sub { $_->{licence} = 'postgresql' } ],
);
for my $case (@broken)
{
	my ($what, $message, $break) = @$case;
	my $meta = decode_json($json);

	$break->() for $meta;
	is_deeply([ $metadata->($meta) ], [$message], "$what is found");
}

done_testing();

#!/usr/bin/env perl
# meta.pl
#	META.json is what PGXN takes, as far as people get it wrong: the fields it
#	wants, versions of three numbers, and files that are there.  And all files
#	name the same version.
use strict;
use warnings FATAL => 'all';

use File::Basename qw(dirname);
use JSON::PP;
use Test::More;

chdir dirname($0) . '/../../..' or die "could not find the checkout: $!\n";
open my $in, '<:raw', 'META.json' or die "could not open META.json: $!\n";
my $meta = decode_json(do { local $/ = undef; <$in> });
my ($sno) = $meta->{provides}{sno};

my %fields = map { $_ => 1 } qw(name version abstract description maintainer license release_status
  generated_by tags no_index provides prereqs resources meta-spec);
is_deeply([ grep { !$fields{$_} && !/^x_/i } sort keys %$meta ], [], 'no field that PGXN does not know');
is_deeply([ grep { !$meta->{$_} } qw(name version abstract maintainer license provides meta-spec) ],
	[], 'every field that PGXN wants');
is("$meta->{license} $meta->{'meta-spec'}{version}", 'postgresql 1.0.0',
	'a licence and a specification that it knows');
my $number = qr/(?:0|[1-9][0-9]*)/;
is_deeply([ grep { !/\A$number\.$number\.$number(?:-[0-9A-Za-z-]+)?\z/ }
	  $meta->{version}, map { $_->{version} } values %{ $meta->{provides} } ],
	[], 'semantic versions');
is_deeply([ grep { !-f } map { @{$_}{qw(file docfile)} } values %{ $meta->{provides} } ],
	[], 'files that are there');
is_deeply([ grep { !-e } map { @$_ } values %{ $meta->{no_index} } ], [], 'and folders');
is_deeply([ grep { m{[[:cntrl:]/\\]} || length > 256 } @{ $meta->{tags} } ], [], 'tags');
is(system('packaging/version >/dev/null'), 0, 'all files name the same version');
done_testing();

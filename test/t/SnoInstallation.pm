# SnoInstallation.pm
#	An installation of the server in the folder of a test, for extension scripts
#	of the test's own.
#
# A server looks for its files where they lie relative to its program.  So the
# programs are copied, and all other files are links, but for those of sno.
package SnoInstallation;

use strict;
use warnings FATAL => 'all';

use File::Basename;
use File::Path qw(make_path);

use PostgreSQL::Test::Utils;

use SnoTest;

# new(NAME): of the server that is tested, with sno's library, but no scripts
sub new
{
	my ($class, $name) = @_;
	my $root = ids_file("installation_$name");
	my ($bindir, $libdir, $sharedir) =
	  map { output_of("$ENV{PG_CONFIG} --$_") } qw(bindir pkglibdir sharedir);

	make_path("$root$bindir", dirname("$root$libdir"), "$root$sharedir/extension");
	link_files($bindir, "$root$bindir", qr/^(postgres|initdb|pg_ctl)$/);
	system_or_bail('cp', map({ "$bindir/$_" } qw(postgres initdb pg_ctl)), "$root$bindir");
	system_or_bail('ln', '-s', $libdir, "$root$libdir");
	link_files($sharedir, "$root$sharedir", qr/^extension$/);
	link_files("$sharedir/extension", "$root$sharedir/extension", qr/^sno(--.*|\.control)$/);
	return bless {
		path => dirname("$root$bindir"),
		extensions => "$root$sharedir/extension" }, $class;
}

# Links to all files of a folder but those of such a name
sub link_files
{
	my ($from, $to, $without) = @_;

	opendir(my $folder, $from) or die "$from: $!";
	foreach my $file (grep { !/^\.\.?$/ && $_ !~ $without } readdir $folder)
	{
		symlink("$from/$file", "$to/$file") or die "$to/$file: $!";
	}
	return;
}

# For PostgreSQL::Test::Cluster->new()
sub path
{
	my ($installation) = @_;

	return $installation->{path};
}

# install({FILE => TEXT, ...}): these are all of sno's files from now on
sub install
{
	my ($installation, $files) = @_;
	my $folder = $installation->{extensions};

	unlink glob("$folder/sno--*"), "$folder/sno.control";
	append_to_file("$folder/$_", $files->{$_}) foreach keys %$files;
	return;
}

1;

# upgrade.pl
#	Whatever version of the extension a database has, ALTER EXTENSION UPDATE makes of it
#	what CREATE EXTENSION makes of an empty one; a script that was released stays as it was.
#
# That is shown for the scripts of the tree, and to be a test at all with a version
# made up after the present one, whose update forgets everything.  What an extension
# consists of is what pg_dump writes for pg_upgrade, and so no list of ours.
use strict;
use warnings FATAL => 'all';

use File::Basename;
use List::Util qw(uniq);

use SnoTest;

my ($tree, $released) = ($ENV{TESTDIR}, "$ENV{TESTDIR}/packaging/released");
my ($installation, $extensions) = new_installation();
my %present = map { m{([^/]+)$}, slurp_file($_) } glob("$tree/sno.control $tree/sno--*.sql $tree/sql/sno--*.sql");
my $server;

# An installation for extension scripts of the test's own, and where these belong.
# A server looks for its files where they lie relative to its program: so the
# programs are copied, and all other files are links, except those of sno.
sub new_installation
{
	my $root = ids_file('installation');
	my ($bindir, $libdir, $sharedir) =
	  map { output_of("$ENV{PG_CONFIG} --$_") } qw(bindir pkglibdir sharedir);

	output_of(<<"EOF");
mkdir -p $root$bindir $root$libdir $root$sharedir
cp -rs $bindir/. $root$bindir
cp --remove-destination $bindir/postgres $bindir/initdb $bindir/pg_ctl $root$bindir
cp -rs $libdir/. $root$libdir
cp -rs $sharedir/. $root$sharedir
EOF
	return (dirname("$root$bindir"), "$root$sharedir/extension");
}

# install({FILE => TEXT, ...}): these are all of sno's files from now on
sub install
{
	my ($files) = @_;

	unlink glob("$extensions/sno--*"), "$extensions/sno.control";
	append_to_file("$extensions/$_", $files->{$_}) foreach keys %$files;
	return;
}

# members(FILE, STATEMENT, ...): into the file, all that belongs to sno in a new database in
# which these were run, as sorted lines, each with the name of its object.  Object ids and
# the order of lists are of no interest.
sub members
{
	my ($file, @statements) = @_;

	query($server, 'CREATE DATABASE updated');
	$server->safe_psql('updated', $_) foreach @statements;
	output_of(<<"EOF");
pg_dump --binary-upgrade --schema-only -d "${\$server->connstr('updated')}" |
	awk -F '; |-- Name: ' '/^-- Name: / { name = \$2 }
		!/^(--|.(un)?restrict |SET default_|SELECT pg_catalog.binary_upgrade_set_next_)/ {
			gsub("^ +|[,;]\$", ""); print name ": " \$0 }' |
	sort >$file
EOF
	query($server, 'DROP DATABASE updated');
	return;
}

# problems(FILES): installs them; in what an update from any version to the default one
# differs (>) from a new extension (<)
sub problems
{
	my ($files) = @_;
	my ($default) = $files->{'sno.control'} =~ /^default_version = '(.*)'/m or die 'no default_version';
	my %versions = map { $_ => 1 } map { /--([\d.]+)/g } map { s/\.sql$//r } keys %$files;
	my ($fresh, $updated) = map { ids_file($_) } qw(fresh updated);
	my @problems;

	install($files);
	delete $versions{$default};
	members($fresh, 'CREATE EXTENSION sno');
	foreach my $version (sort keys %versions)
	{
		members($updated, "CREATE EXTENSION sno VERSION '$version'", 'ALTER EXTENSION sno UPDATE');
		push @problems, map { "$version $_" } grep { /^[<>]/ } split /\n/, output_of("diff $fresh $updated || true");
	}
	return join "\n", @problems;
}

install(\%present);
$server = new_server('upgrade', databases => [], cluster => { install_path => $installation });

is(problems(\%present), '', 'every version of the tree becomes the present one by an update');

# A version is released once CHANGELOG.md has a date for it; then its scripts, of which the
# present ones are in the root, are in packaging/released, as sha256sum prints them
{
	my $scripts = ids_file('scripts');
	my $sums = -e $released ? slurp_file($released) : '';

	mkdir $scripts or die $!;
	system_or_bail('cp', glob("$tree/*--*.sql $tree/sql/*--*.sql"), $scripts);
	is($sums && output_of("cd $scripts && sha256sum -c --quiet $released 2>&1 || true"), '',
		'every script that was released is as it was');
	is(join(' ', grep { $sums !~ /--\Q$_\E\.sql$/m } slurp_file("$tree/CHANGELOG.md") =~ /^## ([\d.]+) \(\d/mg), '',
		'every version with a date has the sums of its scripts');
}

# A version more, whose changes an update makes, or forgets
{
	my ($present) = $present{'sno.control'} =~ /^default_version = '(.*)'/m;
	my $next = $present =~ s/(\d+)$/$1 + 1/er;
	my $changes = join '', map { "$_;\n" } 'ALTER FUNCTION sno_hash(sno) COST 2', 'ALTER TYPE sno SET (RECEIVE = NONE)',
	  q(COMMENT ON FUNCTION sno_min() IS 'changed'), 'CREATE CAST (sno AS bigint) WITH FUNCTION sno_to_bigint(sno)',
	  'DROP FUNCTION sno_to_snowflake(sno, bigint)', 'GRANT EXECUTE ON FUNCTION sno_snapshot() TO pg_monitor';
	my %files = (
		'sno.control' => $present{'sno.control'} =~ s/^default_version = .*/default_version = '$next'/mr,
		"sno--$present.sql" => $present{"sno--$present.sql"},
		"sno--$next.sql" => $present{"sno--$present.sql"} . $changes);

	is(problems({ %files, "sno--$present--$next.sql" => $changes }), '',
		'an update with all changes makes what a new extension is');
	is(join("\n",
			uniq(map { /[<>] (.*?): / } split /\n/, problems({ %files, "sno--$present--$next.sql" => "SELECT;\n" }))),
		join("\n", 'CAST (sno AS bigint)', 'FUNCTION sno_min()', 'FUNCTION sno_snapshot()',
			'FUNCTION sno_to_snowflake(sno, epoch_ms bigint)', 'sno', 'sno_hash(sno)', 'sno_to_snowflake(sno, bigint)'),
		'changes that an update forgets are seen, and nothing else');
}

done_testing();

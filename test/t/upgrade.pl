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

# members(STATEMENT, ...): all that belongs to sno in a new database in which these were run,
# as lines of "TYPE NAME: statement".  Object ids, the age of tables, comments and commands
# for psql are of no interest.
sub members
{
	my @statements = @_;
	my $file = ids_file('members.sql');
	my @lines;

	query($server, 'CREATE DATABASE updated');
	$server->safe_psql('updated', $_) foreach @statements;
	push @lines, map { "extension: $_" } $server->safe_psql('updated', <<'EOF');
SELECT extversion, extrelocatable, extconfig::regclass[], extcondition FROM pg_extension WHERE extname = 'sno'
EOF
	system_or_bail('pg_dump', '--binary-upgrade', '--schema-only', '-d', $server->connstr('updated'), '-f', $file);
	query($server, 'DROP DATABASE updated');
	foreach my $section (split /^(?=-- Name: )/m, slurp_file($file))
	{
		my ($name, $type) = $section =~ /^-- Name: (.*); Type: (.*); Schema: / or next;

		# The tables of pg_extension_config_dump() are named above
		$section =~ s/'\{[\d,]+\}'/'{}'/ if $type eq 'EXTENSION';
		$section =~ s/^(--|\\|SET default_|SELECT pg_catalog\.binary_upgrade_set_next_|SET relfrozenxid.*\nWHERE).*\n//mg;
		push @lines, map { "$type $name: $_" } grep { $_ ne '' } split /[,;]?\n */, $section;
	}
	return @lines;
}

# problems(FILES): installs them; in what an update from any version to the default one
# differs from a new extension
sub problems
{
	my ($files) = @_;
	my ($default) = $files->{'sno.control'} =~ /^default_version = '(.*)'/m or die 'no default_version';
	my %versions = map { $_ => 1 } map { /--([\d.]+)/g } map { s/\.sql$//r } keys %$files;
	my @fresh;

	install($files);
	delete $versions{$default};
	@fresh = members('CREATE EXTENSION sno');
	return map {
		my $version = $_;
		my %more;

		$more{$_}++ foreach members("CREATE EXTENSION sno VERSION '$version'", 'ALTER EXTENSION sno UPDATE');
		$more{$_}-- foreach @fresh;
		map { "$version: " . ($more{$_} < 0 ? '- ' : '+ ') . $_ } sort grep { $more{$_} != 0 } keys %more;
	} sort keys %versions;
}

install(\%present);
$server = new_server('upgrade', databases => [], cluster => { install_path => $installation });

is(join("\n", problems(\%present)), '', 'every version of the tree becomes the present one by an update');

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
	my $changes = "ALTER FUNCTION sno_hash(sno) COST 2; ALTER TYPE sno SET (RECEIVE = NONE);\n";
	my %files = (
		'sno.control' => $present{'sno.control'} =~ s/^default_version = .*/default_version = '$next'/mr,
		"sno--$present.sql" => $present{"sno--$present.sql"},
		"sno--$next.sql" => $present{"sno--$present.sql"} . $changes);

	is(join("\n", problems({ %files, "sno--$present--$next.sql" => $changes })),
		'', 'an update with all changes makes what a new extension is');
	is(join("\n", uniq(map { s/: [-+] (.*?)(?: *\(|: ).*/: $1/sr }
			problems({ %files, "sno--$present--$next.sql" => "SELECT;\n" }))),
		"$present: FUNCTION sno_hash\n$present: TYPE sno", 'changes that an update forgets are seen, and nothing else');
}

done_testing();

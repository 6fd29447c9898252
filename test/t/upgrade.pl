# upgrade.pl
#	Whatever version of the extension a database has, ALTER EXTENSION UPDATE
#	makes of it what CREATE EXTENSION makes of an empty one, and leaves tables
#	as they are; and a script that was released stays as it was.
#
# That is shown for the scripts of the tree, and to be a test at all with
# versions made up after the present one, whose update forgets something.
#
# What an extension consists of is what pg_dump writes for pg_upgrade: all
# members with all their properties, comments, owners and privileges.  What the
# test compares is therefore no list of ours.
use strict;
use warnings FATAL => 'all';

use Digest::SHA qw(sha256_hex);
use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoInstallation;
use SnoTables;
use SnoTest;

use PostgreSQL::Test::Utils;

my $tree = "$FindBin::RealBin/../..";
my $installation = SnoInstallation->new('upgrade');
my %present = map { m{([^/]+)$}, slurp_file($_) } glob("$tree/sno.control $tree/sql/sno--*.sql");
my $server;

# The default version of these files
sub default_version
{
	my ($files) = @_;

	return $files->{'sno.control'} =~ /^default_version = '(.*)'/m ? $1 : die 'no default_version';
}

# All versions that these files know, the oldest first
sub versions
{
	my ($files) = @_;
	my %known = map { $_ => 1 } map { /--([\d.]+)/g } map { s/\.sql$//r } keys %$files;
	# Of equal length, numbers are in the order of their digits
	my %key = map { $_ => join '.', map { sprintf '%09d', $_ } split /\./ } keys %known;

	return sort { $key{$a} cmp $key{$b} } keys %known;
}

# members(DATABASE): all that belongs to sno, as {what => statements}.  Object
# ids, the age of tables, comments and commands for psql are of no interest, nor
# is the order of objects of one name, or of the members of an operator family.
sub members
{
	my ($database) = @_;
	my $file = ids_file('members.sql');
	my %sections;

	system_or_bail('pg_dump', '--binary-upgrade', '--schema-only', '-N', 'app',
		'-d', $server->connstr($database), '-f', $file);
	foreach my $section (split /^(?=-- Name: )/m, slurp_file($file))
	{
		my ($name, $type) = $section =~ /^-- Name: (.*); Type: (.*); Schema: / or next;

		# The tables of pg_extension_config_dump() are named below
		$section =~ s/'\{[\d,]+\}'/'{}'/ if $type eq 'EXTENSION';
		$section =~ s/^(--|\\|SELECT pg_catalog\.binary_upgrade_set_next_|SET relfrozenxid.*\nWHERE).*\n//mg;
		$section = join "\n", sort split /[,;]?\n */, $section if $type =~ /^OPERATOR /;
		push @{ $sections{"$type $name"} }, $section;
	}
	push @{ $sections{extension} }, $server->safe_psql($database, <<'EOF');
SELECT extversion, extrelocatable, extconfig::regclass[], extcondition FROM pg_extension WHERE extname = 'sno'
EOF
	return { map { $_ => join("\n", sort @{ $sections{$_} }) } keys %sections };
}

# differences(FRESH, UPDATED): of what members() gives, and the lines that only
# one of them has
sub differences
{
	my ($fresh, $updated) = @_;
	my @differences;

	foreach my $what (sort keys %{ { %$fresh, %$updated } })
	{
		my ($right, $wrong) = map { $_->{$what} // '' } $fresh, $updated;
		my %lines;

		next if $right eq $wrong;
		$lines{$_}-- foreach split /\n/, $right;
		$lines{$_}++ foreach split /\n/, $wrong;
		push @differences, join "\n", "$what differs",
		  sort map { ($lines{$_} < 0 ? '- ' : '+ ') . $_ } grep { $lines{$_} != 0 } keys %lines;
	}
	return @differences;
}

# with_database(CODE): what the code returns for a new database
sub with_database
{
	my ($code) = @_;
	my @result;

	$server->safe_psql('postgres', 'CREATE DATABASE updated');
	@result = $code->('updated');
	$server->safe_psql('postgres', 'DROP DATABASE updated');
	return @result;
}

# update(VERSION, STEPS, FRESH, ROWS): what is wrong after these updates of a
# database whose tables have so many rows, if any
sub update
{
	my ($version, $steps, $fresh, $rows) = @_;

	return with_database(
		sub {
			my ($database) = @_;
			my ($sqlstate, $message) =
			  error_of($server, $database, "CREATE EXTENSION sno VERSION '$version'");
			my ($before, @wrong);

			return "cannot be created: $message" if $sqlstate ne '';
			if ($rows)
			{
				fill_tables($server, $database, $rows);
				$before = contents($server, $database);
			}
			foreach my $step (@$steps)
			{
				($sqlstate, $message) =
				  error_of($server, $database, "ALTER EXTENSION sno UPDATE TO '$step'");
				return "cannot be updated to $step: $message" if $sqlstate ne '';
			}
			@wrong = differences($fresh, members($database));
			if ($rows)
			{
				push @wrong, 'tables have changed' if contents($server, $database) ne $before;
				push @wrong, grep { $_ ne '' } map { $_->($server, $database) }
				  \&wrong_answers, \&corrupt_indexes, \&wrong_defaults;
			}
			return @wrong;
		});
}

# fresh(FILES): installs them; the members of the default version, created
sub fresh
{
	my ($files) = @_;

	$installation->install($files);
	return (
		with_database(
			sub {
				$server->safe_psql($_[0], 'CREATE EXTENSION sno');
				return members($_[0]);
			}))[0];
}

# problems(FILES, [ROWS]): what goes wrong from each version to the default one,
# directly and step by step
sub problems
{
	my ($files, $rows) = @_;
	my $fresh = fresh($files);
	my $default = default_version($files);
	my @later = versions($files);
	my @problems;

	die "$default is not the latest of @later" if $later[-1] ne $default;
	while (@later > 1)
	{
		my $version = shift @later;

		push @problems, map { "$version, directly: $_" } update($version, [$default], $fresh, $rows);
		push @problems, map { "$version, stepwise: $_" } update($version, [@later], $fresh, $rows)
		  if @later > 1;
	}
	return @problems;
}

# edited(FILES, CHANGELOG, SUMS): which scripts are not what was released.  A
# version is released once CHANGELOG.md has a date for it; then its scripts are
# in test/released, as sha256sum prints them.
sub edited
{
	my ($files, $changelog, $sums) = @_;
	my %sum = map { reverse split } split /\n/, $sums;
	my @wrong = map { "$_ was released and is gone" } grep { !exists $files->{$_} } sort keys %sum;

	foreach my $version ($changelog =~ /^## ([\d.]+) \(\d/mg)
	{
		my @scripts = grep { /--\Q$version\E\.sql$/ } sort keys %$files;

		push @wrong, "$version was released and has no script" if @scripts == 0;
		push @wrong, map { "$_ was released and is not in test/released" }
		  grep { !exists $sum{$_} } @scripts;
		push @wrong, map { "$_ was released and is edited" }
		  grep { exists $sum{$_} && sha256_hex($files->{$_}) ne $sum{$_} } @scripts;
	}
	return @wrong;
}

# A delta, and the files with a new version: its script, if the version before
# has one, and its deltas
sub delta
{
	return join("\n", '\echo Use "ALTER EXTENSION sno UPDATE" to load this file. \quit', @_, '');
}

sub with_version
{
	my ($files, $version, $changes, %deltas) = @_;
	my $before = default_version($files);
	my %files = (%$files, %deltas);
	my $script = $files->{"sno--$before.sql"};

	$files{'sno.control'} =~ s/^default_version = .*/default_version = '$version'/m;
	$files{"sno--$version.sql"} = join("\n", $script, @$changes, '') if defined $script;
	return \%files;
}

$installation->install(\%present);
$server = new_server('upgrade', databases => [],
	cluster => { install_path => $installation->path });

# The comparison is of all members, but for types of arrays and rows, which come
# with another member
{
	my ($members, $count) = with_database(
		sub {
			$server->safe_psql($_[0], 'CREATE EXTENSION sno');
			return (
				join('', values %{ members($_[0]) }),
				$server->safe_psql($_[0], <<'EOF'));
SELECT count(*) FROM pg_depend AS d WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
	AND NOT EXISTS (SELECT FROM pg_depend AS i WHERE (i.classid, i.objid, i.deptype) = (d.classid, d.objid, 'i'))
EOF
		});

	cmp_ok($count, '>', 100, 'the extension has members');
	is(scalar(() = $members =~ /^ALTER EXTENSION sno ADD /mg), $count, 'all of them are compared');
}

# The tree
{
	my $changelog = slurp_file("$tree/CHANGELOG.md");
	my $released = "$tree/test/released";

	note 'versions: ' . join(' ', versions(\%present));
	is(join("\n", problems(\%present, 3000)), '',
		'every version of the tree becomes the present one by an update');
	is(join("\n", edited(\%present, $changelog, -e $released ? slurp_file($released) : '')), '',
		'every script that was released is as it was');
}

# A made-up version that changes one of each: objects and all kinds of
# properties
my @changes = split /;\n+/, <<'EOF';
CREATE FUNCTION sno_is_old(sno) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 < timestamptz '2020-01-01 00:00+00';
CREATE OR REPLACE FUNCTION sno_from_bpchar(bpchar) RETURNS sno LANGUAGE SQL IMMUTABLE STRICT PARALLEL SAFE RETURN rtrim($1)::sno;
COMMENT ON FUNCTION sno_min() IS 'changed';
COMMENT ON EXTENSION sno IS 'changed';
ALTER FUNCTION sno_hash(sno) COST 2;
ALTER FUNCTION sno_max() LEAKPROOF;
ALTER FUNCTION sno_meta(sno) STABLE;
ALTER FUNCTION sno_tick_tock(sno) CALLED ON NULL INPUT;
ALTER FUNCTION sno_lower_bound(timestamptz) PARALLEL RESTRICTED;
ALTER FUNCTION sno_generate_many(integer, integer) SUPPORT generate_series_int4_support;
ALTER FUNCTION sno_generate_many(integer, integer) ROWS 10;
ALTER FUNCTION sno_drop_partitions(regclass, timestamptz) SET work_mem = '1MB';
ALTER FUNCTION sno_stat_reset() SECURITY DEFINER;
CREATE OPERATOR ?? (FUNCTION = sno_eq, LEFTARG = sno, RIGHTARG = sno, COMMUTATOR = ??);
COMMENT ON OPERATOR ^@ (sno, text) IS 'changed';
ALTER OPERATOR ^@ (sno, text) SET (RESTRICT = contsel);
ALTER OPERATOR FAMILY sno_bloom_ops USING brin ADD OPERATOR 1 #=# (sno, timestamptz);
CREATE OPERATOR CLASS sno_other_ops FOR TYPE sno USING hash AS OPERATOR 1 =, FUNCTION 1 sno_hash(sno);
CREATE AGGREGATE first(sno) (SFUNC = sno_smaller, STYPE = sno);
CREATE CAST (sno AS bigint) WITH FUNCTION sno_to_bigint(sno);
DROP FUNCTION sno_to_snowflake(sno, bigint);
ALTER TYPE sno SET (RECEIVE = NONE);
ALTER DOMAIN sno_period ADD CONSTRAINT filled CHECK (NOT isempty(VALUE));
CREATE OR REPLACE VIEW sno_stat AS SELECT *, 1 AS added FROM sno_stat_get();
COMMENT ON COLUMN sno_stat.plane IS 'changed';
REVOKE SELECT ON sno_stat FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sno_snapshot() TO pg_monitor;
REVOKE EXECUTE ON FUNCTION sno_generate(integer, timestamptz) FROM PUBLIC;
CREATE TABLE sno_note (id sno DEFAULT sno_min(), note text);
SELECT pg_extension_config_dump('sno_note', '');
EOF
my @more_changes = ("COMMENT ON FUNCTION sno_max() IS 'changed';");
my $present = default_version(\%present);
my ($next, $after) = map { $present =~ s/(\d+)$/$1 + $_/er } 1, 2;
my ($delta, $next_delta, $long_delta) =
  ("sno--$present--$next.sql", "sno--$next--$after.sql", "sno--$present--$after.sql");

s/;?$/;/ foreach @changes;

{
	my $files = with_version(\%present, $next, \@changes, $delta => delta(@changes));
	my $further = with_version($files, $after, \@more_changes, $next_delta => delta(@more_changes));
	my $direct = { %$further, $long_delta => delta(@changes, @more_changes) };
	my (@unseen, $fresh);

	is(join("\n", problems($files)), '', 'a version more: its update makes what its script makes');
	is(join("\n", problems($further)), '', 'two versions more: so do both updates');
	is(join("\n", problems($direct, 3000)), '', 'and one that takes both steps at once');

	# What is forgotten is seen, each by itself
	$fresh = fresh($files);
	foreach my $forgotten (@changes)
	{
		$installation->install({ %$files, $delta => delta(grep { $_ ne $forgotten } @changes) });
		push @unseen, $forgotten if !update($present, [$next], $fresh);
	}
	is(join("\n", @unseen), '', 'an update that forgets one of ' . @changes . ' changes is seen');
	is(join("\n", problems({ %$direct, $long_delta => delta(@changes) })),
		"$present, directly: COMMENT FUNCTION sno_max() differs\n"
		  . "+ COMMENT ON FUNCTION public.sno_max() IS 'the largest id there can be';\n"
		  . "- COMMENT ON FUNCTION public.sno_max() IS 'changed';",
		'one that is wrong only directly, too');
	like(join("\n", problems({ %$further, $next_delta => delta() })),
		qr/^$present, stepwise: COMMENT .*^$next, directly: COMMENT /ms,
		'and one that is wrong on the last step');
	delete $files->{$delta};
	like(join("\n", problems($files)), qr/^$present, directly: cannot be updated to $next: .*no update path/,
		'and one that is not there');
}

# A script that is edited after its release is seen
{
	my ($script) = grep { /--\Q$present\E\.sql$/ } sort keys %present;
	my $changelog = "## $present (2026-12-01)\n";
	my $sum = sha256_hex($present{$script}) . "  $script\n";

	is(join("\n", edited(\%present, $changelog, $sum)), '', 'a released script is as it was');
	is(join("\n", edited({ %present, $script => "$present{$script}\n" }, $changelog, $sum)),
		"$script was released and is edited", 'one that was edited is seen');
	is(join("\n", edited(\%present, $changelog, '')),
		"$script was released and is not in test/released", 'and one without a sum');
	is(join("\n", edited({}, $changelog, $sum)),
		"$script was released and is gone\n$present was released and has no script", 'and one that is gone');
}

done_testing();

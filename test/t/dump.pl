# dump.pl
#	The owner of a database, who is no superuser, restores dumps of all kinds of objects
#	over ids, whatever the search path is: what is restored is what was dumped.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $server = new_server('dump');

# as_owner(PROGRAM, DATABASE, ARGUMENT...): a command that must succeed, without a word
sub as_owner
{
	my ($program, $database, @arguments) = @_;
	my ($said, $errors) = run_command(
		[ $program, '-h', $server->host, '-p', $server->port, '-U', 'owner', '-d', $database, @arguments ]);

	is($errors, '', "$database: $program" . join '', map { " $_" } grep { /\A-\w+\z/ } @arguments);
	return $said;
}

# definitions(DATABASE): its dump as text, without what is random in it
sub definitions
{
	my ($database) = @_;

	return as_owner('pg_dump', $database) =~ s/^\\(un)?restrict .*\n//mgr;
}

query($server, 'CREATE ROLE owner LOGIN');
foreach my $database (qw(own plain custom))
{
	query($server, "CREATE DATABASE $database OWNER owner");
	query($server, "ALTER DATABASE $database SET search_path = elsewhere") if $database ne 'own';
}
my @psql = ('-XAtq', '-v', 'ON_ERROR_STOP=1');
as_owner('psql', 'own', @psql, '-c', 'CREATE EXTENSION sno', '-f', "$ENV{TESTDIR}/test/t/kinds.sql");
# With this, pg_upgrade fails: doc/administration.md has the cure
as_owner('psql', 'own', @psql, '-c', 'CREATE DOMAIN kinds.later AS sno CHECK ((VALUE, 0) > (sno_min(), 0))');

my ($plain, $custom) = map { ids_file("dump.$_") } qw(sql custom);
as_owner('pg_dump', 'own', '-f', $plain);
as_owner('psql', 'plain', @psql, '-o', '/dev/null', '-f', $plain);
is(definitions('plain'), definitions('own'), 'plain: what is restored is what was dumped');

as_owner('pg_dump', 'own', '-Fc', '-f', $custom);
as_owner('pg_restore', 'custom', '--exit-on-error', $custom);
is(definitions('custom'), definitions('own'), 'custom: the same');

# Used by the owner, where it was restored
my $use = <<'SQL';
INSERT INTO kinds.node DEFAULT VALUES;
UPDATE kinds.node SET n = n;
DELETE FROM kinds.node;
INSERT INTO kinds.split SELECT id, n FROM kinds.node;
REFRESH MATERIALIZED VIEW kinds.kept;
SELECT (SELECT count(*) FROM kinds.node), (SELECT count(*) FROM kinds.pages), (SELECT count(*) FROM kinds.kept);
SQL
is(as_owner('psql', $_, @psql, '-c', $use), "7|7|2", "$_: queries find what they must")
  foreach qw(own plain custom);

done_testing();

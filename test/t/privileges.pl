# privileges.pl
#	What an ordinary login role cannot do: change settings or state of the
#	generator, keep the server from cancelling what it does, or have others run
#	what it put in their way.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time);
use Test::More;

use SnoTest;

my $server = new_server('privileges', databases => []);
my @ordinary = (extra_params => [ '-U', 'ordinary' ]);

# What an ordinary role gets for a statement: the SQLSTATE, or ''
sub refusal
{
	my ($sql, $database) = @_;

	return (error_of($server, $database // 'postgres', $sql, @ordinary))[0];
}

query($server, 'CREATE ROLE ordinary LOGIN; CREATE ROLE other LOGIN; CREATE DATABASE own OWNER ordinary');

# Creating the extension, even by the owner of a database
is_error($server, 'own', 'CREATE EXTENSION sno', '42501', qr/sno is not used in this cluster yet.*DETAIL:  If ids were generated in it before.*HINT:  Have a superuser run CREATE EXTENSION sno once/s,
	'the owner of a database does not create it where no superuser has', @ordinary);

# Default privileges give no one what is not for everyone
query($server, 'CREATE DATABASE generous');
$server->safe_psql('generous', join('', map { "ALTER DEFAULT PRIVILEGES GRANT ALL ON $_;" }
		map { ("$_ TO ordinary WITH GRANT OPTION", "$_ TO PUBLIC") } qw(FUNCTIONS TYPES))
	  . 'CREATE EXTENSION sno');
is($server->safe_psql('generous', <<'EOF'), "default privileges\nfunctions", 'default privileges give no more than PUBLIC has');
WITH member AS (
	SELECT objid FROM pg_depend
	WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
)
SELECT oid::regprocedure::text FROM pg_proc JOIN member ON objid = oid
WHERE oid::regprocedure::text ~ '^sno_(stat_reset|restore\(|reset|origin)'
	AND has_function_privilege('ordinary', oid, 'EXECUTE')
UNION ALL
SELECT oid::regtype::text FROM pg_type JOIN member ON objid = oid
WHERE typname ~ '^sno_reservation' AND has_type_privilege('ordinary', oid, 'USAGE')
UNION ALL
SELECT 'default privileges' WHERE EXISTS (SELECT FROM pg_default_acl)
UNION ALL
SELECT 'functions' WHERE has_function_privilege('ordinary', 'sno_generate(integer)', 'EXECUTE')
EOF

query($server, 'CREATE EXTENSION sno; CREATE TABLE event (id sno PRIMARY KEY, n integer)');

# What pg_upgrade reads is of no use to others
is_error($server, 'postgres', "CREATE TEMP TABLE carried (reservation $_)", '42501', qr/permission denied for type/, "$_ is refused", @ordinary)
  foreach qw(sno_reservation sno_reservation[] sno_reservation_carried);

# Once a superuser has created it, every owner of a database can, and drops it without a trace
{
	my $catalogs = join "\nUNION ALL ", map { "SELECT '$_', count(*), md5(string_agg(c::text, ',' ORDER BY c::text COLLATE \"C\")) FROM $_ AS c" }
	  qw(pg_proc pg_type pg_operator pg_opclass pg_opfamily pg_amop pg_amproc pg_cast pg_class pg_namespace pg_extension pg_depend pg_description pg_init_privs pg_constraint);
	$catalogs .= ' ORDER BY 1';
	my $before = $server->safe_psql('own', $catalogs);

	is((error_of($server, 'own', 'CREATE EXTENSION sno; CREATE TABLE kept (id sno DEFAULT sno_generate(3)); INSERT INTO kept DEFAULT VALUES', @ordinary))[0],
		'', 'the owner of a database creates the extension, and uses it');
	is_error($server, 'own', "SELECT pg_catalog.$_", '42501', qr/permission denied for function/,
		"the owner of a database does not call $_", @ordinary)
	  foreach 'sno_reset()', 'sno_origin_create()', 'sno_stat_reset()', q(sno_restore('{}')), 'sno_restore_from_tables()', q(sno_greatest('kept', '1', sno_max()));
	is(refusal('DROP TABLE kept; DROP EXTENSION sno', 'own'), '', 'the owner of a database drops the extension');
	is($server->safe_psql('own', $catalogs), $before, 'nothing is left of a dropped extension');
}

# What makes duplicates possible is for superusers, whatever is granted
{
	my @calls = ('sno_origin_create()', 'sno_reset()', 'sno_restore(sno_snapshot())', 'sno_record_restore(0)', 'sno_restore_from_tables()');

	is_error($server, 'postgres', "BEGIN READ ONLY; SELECT $_", '25006', qr/cannot execute sno_\w+\(\) in a read-only transaction/,
		"$_ is refused in a read-only transaction") foreach @calls;
	query($server, 'GRANT EXECUTE ON FUNCTION sno_origin_create, sno_reset, sno_restore, sno_restore_from_tables, sno_greatest TO ordinary');
	is_error($server, 'postgres', "SELECT $_", '42501', qr/Only a superuser may call it/, "$_ is refused though it is granted", @ordinary) foreach @calls;
	query($server, <<'EOF');
CREATE FUNCTION delegated() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	AS 'SELECT sno_reset()';
EOF
	is(refusal('SELECT delegated()'), '', 'a superuser can delegate it');
	query($server, 'DROP FUNCTION delegated(); REVOKE EXECUTE ON FUNCTION sno_origin_create, sno_reset, sno_restore, sno_restore_from_tables, sno_greatest FROM ordinary');
}

# What has the names of the extension: types are refused, functions are named
foreach ('CREATE DOMAIN app.sno AS text', 'CREATE TYPE app.sno_operand AS (n int)', 'CREATE TABLE app.sno_periods (n int)')
{
	is_error($server, 'own', "BEGIN; CREATE SCHEMA app; $_; CREATE EXTENSION sno", '42710', qr/DETAIL:  It is: app\.sno\w*\. /, "refused beside another type: $_", @ordinary);
}
{
	my ($code, undef, $said) = $server->psql('own', <<'EOF', @ordinary);
CREATE FUNCTION sno_generate() RETURNS int RETURN 1; CREATE FUNCTION sno_make(timestamp) RETURNS int RETURN 1;
CREATE FUNCTION sno_mine(int) RETURNS int RETURN 1; CREATE FUNCTION to_char(sno_other text, text) RETURNS int RETURN 1;
CREATE EXTENSION sno;
EOF

	ok($code == 0 && $said =~ /WARNING:  functions of sno are found before others.*\nDETAIL:  .*: public\.sno_generate\(\), public\.sno_make\(timestamp without time zone\)\.\n?\z/, 'functions that it hides are named') || diag($said);
}

# Members.  What functions in SQL call was decided when they were created, those
# in PL/pgSQL call what is in pg_catalog, or in a schema that they name.
is(query($server, <<'EOF'), '', 'functions run with the rights of their caller, or not for everybody, call what they mean, and belong to no ordinary role');
SELECT p.oid::regprocedure
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
	JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
WHERE prosecdef AND has_function_privilege('ordinary', p.oid, 'EXECUTE') OR lanname = 'sql' AND prosqlbody IS NULL
	OR lanname NOT IN ('sql', 'c', 'internal') AND proconfig IS DISTINCT FROM '{"search_path=pg_catalog, pg_temp"}'
	OR pg_has_role('ordinary', proowner, 'MEMBER')
EOF

# Planning: predicates of thousands of bounds
{
	my @bounds = map { "id > '9d22222222222" . join('', (2 .. 9, 'a' .. 'x')[ $_ / 1024 % 32, $_ / 32 % 32, $_ % 32 ]) . "'" }
	  1 .. 10_000;
	my %predicates = (
		'a conjunction' => join(' AND ', @bounds),
		'conjunctions within a disjunction' =>
		  join(' OR ', map { '(' . join(' AND ', @bounds[ 100 * $_ .. 100 * $_ + 99 ]) . ')' } 0 .. 99),
		'conjunctions and disjunctions within each other' =>
		  join('', map { "($bounds[2 * $_] AND ($bounds[2 * $_ + 1] OR " } 0 .. 699) . 'true' . '))' x 700);

	query($server, "INSERT INTO event SELECT sno_make('2026-01-01', sequence => n), n FROM generate_series(1, 1000) AS n; ANALYZE event; GRANT SELECT ON event TO ordinary");
	foreach my $what (sort keys %predicates)
	{
		my $start = time;
		my ($code, $output, $errors) = $server->psql('postgres',
			"SET statement_timeout = '60s'; EXPLAIN SELECT FROM event WHERE $predicates{$what}", @ordinary);

		note sprintf('%s: %.1f s', $what, time - $start);
		is($code, 0, "$what, of thousands of bounds: planned") || diag($errors);
	}
}

done_testing();

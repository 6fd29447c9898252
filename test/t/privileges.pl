# privileges.pl
#	What an ordinary login role cannot do: change settings or state of the
#	generator, or have others run what it put in their way.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $server = new_server('privileges', databases => []);
my @ordinary = (extra_params => [ '-U', 'ordinary' ]);

query($server, 'CREATE ROLE ordinary LOGIN; CREATE DATABASE own OWNER ordinary');

# Creating the extension, even by the owner of a database
is_error($server, 'own', 'CREATE EXTENSION sno', '42501',
	qr/sno is not used in this cluster yet.*DETAIL:  If ids were.*HINT:  Have a superuser run CREATE EXTENSION sno once/s,
	'the owner of a database does not create it where no superuser has', @ordinary);

# Default privileges give no one what is not for everyone
query($server, 'CREATE DATABASE generous');
$server->safe_psql('generous', join('', map { "ALTER DEFAULT PRIVILEGES GRANT ALL ON $_;" }
		map { ("$_ TO ordinary WITH GRANT OPTION", "$_ TO PUBLIC") } qw(FUNCTIONS TYPES))
	  . 'CREATE EXTENSION sno');
is($server->safe_psql('generous', <<'EOF'), "default privileges\nfunctions", 'they give no more than PUBLIC has');
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

query($server, 'CREATE EXTENSION sno; CREATE TABLE event (id sno PRIMARY KEY)');

# What pg_upgrade reads is of no use to others
is_error($server, 'postgres', "CREATE TEMP TABLE carried (reservation $_)",
	'42501', qr/permission denied for type/, "$_ is refused", @ordinary)
  foreach qw(sno_reservation sno_reservation[] sno_reservation_carried);

# Once a superuser has created it, every owner of a database can, and drops it
{
	$server->safe_psql('own', 'CREATE EXTENSION sno; CREATE TABLE kept (id sno DEFAULT sno_generate(3))', @ordinary);
	is_error($server, 'own', "SELECT pg_catalog.$_", '42501', qr/permission denied for function/,
		"the owner of a database does not call $_", @ordinary)
	  foreach 'sno_reset()', 'sno_origin_create()', 'sno_stat_reset()', q(sno_restore('{}')),
	  'sno_restore_from_tables()', q(sno_greatest('kept', '1', sno_max()));
	$server->safe_psql('own', 'INSERT INTO kept DEFAULT VALUES; DROP TABLE kept; DROP EXTENSION sno', @ordinary);
}

# What makes duplicates possible is for superusers, whatever is granted
{
	my @calls = ('sno_origin_create()', 'sno_reset()', 'sno_restore(sno_snapshot())',
		'sno_restore_reserved(0, 0)', 'sno_restore_above(sno_min())', 'sno_restore_from_tables()');

	is_error($server, 'postgres', "BEGIN READ ONLY; SELECT $_",
		'25006', qr/cannot execute sno_\w+\(\) in a read-only transaction/,
		"$_ is refused in a read-only transaction") foreach @calls;
	query($server, 'GRANT EXECUTE ON FUNCTION sno_origin_create, sno_reset, sno_restore, sno_restore_from_tables, '
		. 'sno_restore_reserved, sno_restore_above, sno_greatest TO ordinary');
	is_error($server, 'postgres', "SELECT $_", '42501', qr/Only a superuser may call it/,
		"$_ is refused though it is granted", @ordinary) foreach @calls;
	query($server, <<'EOF');
CREATE FUNCTION delegated() RETURNS text LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
	AS $$ SELECT sno_reset(); SELECT 'done' $$;
EOF
	is(query($server, 'SELECT delegated()', @ordinary), 'done', 'a superuser can delegate it');
}

# What has the names of the extension: types are refused, functions are named
is_error($server, 'own', "BEGIN; CREATE SCHEMA app; $_; CREATE EXTENSION sno", '42710',
	qr/DETAIL:  It is: app\.sno\w*\. /, "refused beside another type: $_", @ordinary)
  foreach 'CREATE DOMAIN app.sno AS text', 'CREATE TYPE app.sno_operand AS ()', 'CREATE TABLE app.sno_periods ()';
{
	my ($code, undef, $said) = $server->psql('own', <<'EOF', @ordinary);
CREATE FUNCTION sno_generate() RETURNS int RETURN 1; CREATE FUNCTION sno_make(timestamp) RETURNS int RETURN 1;
CREATE FUNCTION sno_mine(int) RETURNS int RETURN 1; CREATE FUNCTION to_char(sno_other text, text) RETURNS int RETURN 1;
CREATE EXTENSION sno;
EOF

	is($code, 0, 'the extension is created beside functions that it hides');
	like($said, qr/WARNING:  functions of sno are found before others/, 'there is a warning');
	like($said, qr/: public\.sno_generate\(\), public\.sno_make\(timestamp without time zone\)\.\n?\z/, 'it names them');
}

# Members.  What functions in SQL call was decided when they were created, those
# in PL/pgSQL call what is in pg_catalog, or in a schema that they name.
is(query($server, <<'EOF'), '', 'no function that all may call has other rights, calls by a path, or is of others');
SELECT p.oid::regprocedure
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
	JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
WHERE prosecdef AND has_function_privilege('ordinary', p.oid, 'EXECUTE') OR lanname = 'sql' AND prosqlbody IS NULL
	OR lanname NOT IN ('sql', 'c', 'internal') AND proconfig IS DISTINCT FROM '{"search_path=pg_catalog, pg_temp"}'
	OR pg_has_role('ordinary', proowner, 'MEMBER')
EOF

done_testing();

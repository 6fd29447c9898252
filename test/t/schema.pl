# schema.pl
#	Nothing depends on the search path or on settings: the extension is found with every
#	path, and calls what it means, whatever others have put into theirs.  And what is not
#	of the extension means what it meant before.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $server = new_server('schema', databases => []);
my @app = (extra_params => [ '-U', 'app' ]);

# What is true, with what looks for others of the extension while it runs; ID is an id;
# app.event is partitioned by range of ids.  What SQL functions call was decided when
# they were created.
my @truths = split /\n/, <<'EOF';
sno_meta(sno_generate(5)) = 5 AND sno_partition(ID) = 2
(SELECT meta = 1 AND partition = 2 AND sequence = 3 FROM sno_inspect(ID))
ID >= timestamptz '2020-01-01 00:00:00+00' AND NOT timestamptz '2020-01-01 00:00:00+00' > ID
ID <@ tstzrange '[2020-01-01 00:00:00+00,)' AND tstzmultirange '{[2020-01-01 00:00:00+00,)}' @> ID
ID ^@ left(ID::text, 8)
(SELECT count(*) = 2 FROM (SELECT id FROM (VALUES (ID), (sno_min()), (ID)) AS t (id) GROUP BY id ORDER BY id) AS s)
ID::bytea::sno::uuid::sno::text::sno::char(16)::sno = ID
to_char(ID, 'YYYY-MM-DD') = '2020-01-01'
sno_to_snowflake(sno_from_snowflake(1541815603606036480)) = 1541815603606036480
sno_resolved(sno_min(), false) > sno_min() AND (SELECT count(*) >= 0 FROM sno_unresolved())
(SELECT slots_claimed > 0 FROM sno_stat()) AND sno_snapshot() -> 'format' = '1'
(SELECT count(*) = 2 FROM sno_create_partitions('app.event', '2020-01-01 00:00+00', '2020-01-03 00:00+00', '1 day'))
(SELECT count(*) = 2 FROM sno_range_partitions('app.event') WHERE lower_bound::sno < upper_bound::sno)
(SELECT count(*) = 2 FROM sno_drop_partitions('app.event', '2020-01-03 00:00:00+00'))
(SELECT sno_estimated_count('app.event', ID) = 0)
EOF

# Settings that change what text means, or how it is written
my $strings = 'SET standard_conforming_strings = off; SET escape_string_warning = off;';
my $hostile = ($server->pg_version->major < 19 ? $strings : '') . <<'EOF';
SET backslash_quote = on;
SET DateStyle = 'SQL, DMY'; SET IntervalStyle = sql_standard; SET TimeZone = 'Asia/Kathmandu';
SET extra_float_digits = -15;
SET bytea_output = escape; SET transform_null_equals = on; SET array_nulls = off; SET xmloption = document;
SET quote_all_identifiers = on; SET default_transaction_deferrable = on;
EOF

# The truths that are none, with that path and these settings, for an ordinary role
sub untruths
{
	my ($path, $settings) = @_;
	my @statements = map { "SELECT \$\$$_\$\$ WHERE ($_) IS NOT TRUE;" }
	  map { s/\bID\b/(sno_make('2020-01-01 00:00:00+00', 1, 2, 3, true))/gr } @truths;
	my ($code, $output, $errors) = $server->psql('postgres',
		join("\n", $settings // '', "SET search_path = $path;",
			'CREATE TABLE app.event (id sno PRIMARY KEY) PARTITION BY RANGE (id);', @statements, 'DROP TABLE app.event;'),
		on_error_stop => 0, @app);

	return $output . $errors;
}

query($server, <<'EOF');
CREATE ROLE app LOGIN;
CREATE SCHEMA app AUTHORIZATION app;
EOF

# What others have, and fits a call better than the server's own, is not called
query($server, <<'EOF');
CREATE FUNCTION sno_make(timestamptz, integer DEFAULT 0, integer DEFAULT 0, integer DEFAULT 0) RETURNS text RETURN '';
CREATE FUNCTION is_trapped() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE FUNCTION trapped(numeric, integer) RETURNS boolean RETURN is_trapped();
CREATE FUNCTION trapped(text, varchar) RETURNS boolean RETURN is_trapped();
CREATE FUNCTION trapped(timestamptz, text) RETURNS boolean RETURN is_trapped();
CREATE OPERATOR = (FUNCTION = trapped, LEFTARG = numeric, RIGHTARG = integer);
CREATE OPERATOR = (FUNCTION = trapped, LEFTARG = text, RIGHTARG = varchar);
CREATE OPERATOR < (FUNCTION = trapped, LEFTARG = timestamptz, RIGHTARG = text);
CREATE FUNCTION pick(bytea, bytea) RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE AGGREGATE lead(bytea) (SFUNC = pick, STYPE = bytea);
CREATE FUNCTION to_char(timestamp, varchar) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE FUNCTION date_trunc(varchar, interval) RETURNS interval LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE EXTENSION sno;
EOF
is(untruths($_), '', "everything works for anybody, with the search path $_") foreach q(''), 'pg_catalog', 'public';
is(untruths('public', $hostile), '', 'whatever the settings are');
is(query($server, <<'EOF'), '', 'nothing of the extension calls what is neither its own nor the server\'s');
WITH member AS (
	SELECT classid, objid FROM pg_depend
	WHERE deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
)
SELECT pg_describe_object(classid, objid, 0), pg_describe_object(refclassid, refobjid, 0)
FROM pg_depend d JOIN member USING (classid, objid)
WHERE deptype = 'n' AND refobjid >= 16384 AND refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)
	AND NOT EXISTS (SELECT FROM member m WHERE (m.classid, m.objid) = (d.refclassid, d.refobjid))
EOF

# privileges.pl shows that others do not call these
my $superusers = 'sno_greatest sno_origin_create sno_reset sno_restore sno_restore_above '
  . 'sno_restore_from_tables sno_restore_reserved sno_stat_reset';
is(query($server, <<'EOF'), $superusers, 'everybody may call all functions but these');
SELECT string_agg(DISTINCT proname, ' ' ORDER BY proname) FROM pg_depend JOIN pg_proc AS p ON p.oid = objid
WHERE classid = 'pg_proc'::regclass AND deptype = 'e' AND NOT has_function_privilege('app', p.oid, 'EXECUTE')
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
EOF

# Expressions over others' types, with operands of no type: the types of parameters and
# results, or the error, are those of before
{
	my @expressions = split /\n/, <<'EOF';
now() > '2026-01-01', '2026-01-01' <= now(), now() < $1, $1 BETWEEN $2 AND now()
now() - '2026-01-01', now() - $1, now() + $2
interval '1 day' - $1
$1 - $2
'1' - '2'
$1 < $2, NULL = NULL, $1 IN ($2, NULL), $3 = ANY ($4)
tstzrange '[2026-01-01,)' @> '2026-01-01'
tstzrange '[2026-01-01,)' @> $1, $1 <@ tstzrange '(,)'
'[2026-01-01,)' <@ tstzrange '(,)'
now() <@ '[2026-01-01,)'
now() <@ $1
tstzmultirange '{}' @> now(), tstzmultirange '{}' @> $1
tstzmultirange '{}' @> '{}', $1 <@ tstzmultirange '{}'
NULL <@ NULL
$1 @> $2
'a' ^@ 'b', 'a' ^@ $1, $1 ^@ $2, text 'a' ^@ $3
min($1), max(NULL), min('a')
to_char($1, 'YYYY')
to_char(now(), $1), to_char(now(), NULL)
greatest(now(), $1), coalesce($1, 'a'), CASE WHEN true THEN '' ELSE now() END, nullif($2, 'a')
bytea '1' = $1, $2 = uuid '9d9d9d9d-9d9d-9d9d-9d9d-9d9d9d9d9d9d', char(3) 'a' = $3, $4 = date '2026-01-01'
EOF
	my $script = join '', map { <<"EOF" } @expressions;
\\echo $_
PREPARE s AS SELECT $_;
SELECT parameter_types FROM pg_prepared_statements;
DEALLOCATE ALL;
SELECT $_ \\gdesc
EOF
	my @types;

	query($server, 'CREATE DATABASE other TEMPLATE template0');
	foreach my $step ('', 'CREATE EXTENSION sno')
	{
		$server->safe_psql('other', $step);
		push @types, join "\n", ($server->psql('other', $script, on_error_stop => 0))[ 1, 2 ];
	}
	is($types[1], $types[0], 'what is not of the extension means what it meant before');
}

done_testing();

# privileges.pl
#	What an ordinary login role cannot do: change settings or state of the
#	generator, keep the server from cancelling what it does, or have others run
#	what it put in their way.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Time::HiRes qw(time);
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoTest;

my $clock = SnoClock->new('server');
my $server = new_server('privileges', clock => $clock, databases => []);
my @ordinary = (extra_params => [ '-U', 'ordinary' ]);
my @cluster_settings =
  qw(sno.partition sno.partition_count sno.sequence_min sno.sequence_max sno.lease_limit);

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

# What an ordinary role gets for a statement: the SQLSTATE, or ''
sub refusal
{
	my ($sql, $database) = @_;

	return (error_of($server, $database // 'postgres', $sql, @ordinary))[0];
}

query('CREATE ROLE ordinary LOGIN; CREATE ROLE other LOGIN; CREATE DATABASE own OWNER ordinary');

# Creating the extension, even in a database of one's own
is(query("SELECT bool_or(trusted OR NOT superuser) FROM pg_available_extension_versions WHERE name = 'sno'"),
	'f', 'the extension is for superusers, and not trusted');
is(refusal('CREATE EXTENSION sno', 'own'), '42501', 'the owner of a database does not create it');

# What somebody left in the schema is not taken over by the extension
{
	my %left = (
		'a type' => 'CREATE TYPE left_behind.sno AS (id text)',
		'a domain' => 'CREATE DOMAIN left_behind.sno_period AS text',
		'a table' => 'CREATE TABLE left_behind.sno_stat (partition integer)',
		'a function' => 'CREATE FUNCTION left_behind.sno_generate_many(integer, integer) RETURNS integer RETURN 1',
		'a procedure' => "CREATE PROCEDURE left_behind.sno_reset() LANGUAGE sql AS ''",
		'an operator' => 'CREATE OPERATOR left_behind.#<# (FUNCTION = left_behind.f, LEFTARG = timestamptz, RIGHTARG = timestamptz)',
		'an operator that is only named yet' =>
		  'CREATE OPERATOR left_behind.#=# (FUNCTION = left_behind.f, LEFTARG = timestamptz, RIGHTARG = timestamptz, NEGATOR = OPERATOR(left_behind.#<#))');

	foreach my $what (sort keys %left)
	{
		query(<<"EOF");
CREATE SCHEMA left_behind AUTHORIZATION ordinary;
SET ROLE ordinary;
CREATE FUNCTION left_behind.f(timestamptz, timestamptz) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
$left{$what};
EOF
		my ($sqlstate) = error_of($server, 'postgres', 'CREATE EXTENSION sno SCHEMA left_behind');

		like($sqlstate, qr/^(42501|42710|42723|42P07|55000)$/,
			"the extension is not created over $what");
		is(query("SELECT count(*) FROM pg_extension WHERE extname = 'sno'"), '0', 'and nothing of it is');
		query('DROP SCHEMA left_behind CASCADE');
	}
}
query('CREATE EXTENSION sno; CREATE TABLE event (id sno PRIMARY KEY, n integer)');
$server->safe_psql('own', 'CREATE EXTENSION sno');

# Members
{
	my $members = <<'EOF';
pg_proc AS p JOIN pg_language AS l ON l.oid = prolang
	JOIN pg_depend AS d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND deptype = 'e'
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno')
EOF

	is(query("SELECT p.oid::regprocedure FROM $members WHERE prosecdef"),
		'', 'no function runs with the rights of its owner');
	is(query("SELECT p.oid::regprocedure FROM $members WHERE lanname = 'sql' AND prosqlbody IS NULL"),
		'', 'what functions in SQL call was settled when they were created');
	is(query(<<"EOF"), '', 'functions in PL/pgSQL call what is in pg_catalog, or in a schema that they name');
SELECT p.oid::regprocedure FROM $members
WHERE lanname NOT IN ('sql', 'c', 'internal') AND proconfig IS DISTINCT FROM '{"search_path=pg_catalog, pg_temp"}'
EOF
	is(query(<<"EOF"), '', 'an ordinary role owns none of them');
SELECT p.oid::regprocedure FROM $members WHERE pg_has_role('ordinary', proowner, 'MEMBER')
EOF
	is(refusal($_), '42501', "$_ is refused") foreach
	  'CREATE OR REPLACE FUNCTION sno_min() RETURNS sno RETURN NULL::sno',
	  'ALTER FUNCTION sno_starts_with(sno, text) LEAKPROOF',
	  'ALTER FUNCTION sno_generate(integer) IMMUTABLE',
	  'CREATE OR REPLACE VIEW sno_stat AS SELECT 1 AS partition',
	  'ALTER OPERATOR < (sno, sno) SET (RESTRICT = NONE)',
	  'DROP EXTENSION sno',
	  'ALTER EXTENSION sno SET SCHEMA pg_catalog',
	  'SELECT sno_snapshot()',
	  "SELECT sno_restore('{}')",
	  'SELECT sno_reset()',
	  'SELECT sno_origin_create()',
	  'SELECT sno_origin_drop()',
	  'SELECT sno_stat_reset()';
}

# The durable record is the progress of a replication origin
is(query(<<'EOF'), '', 'an ordinary role calls no function of replication origins');
SELECT oid::regprocedure FROM pg_proc
WHERE proname ~ 'replication_origin' AND has_function_privilege('ordinary', oid, 'EXECUTE')
EOF
is(refusal($_), '42501', "$_ is refused") foreach
  'SELECT * FROM pg_replication_origin_status',
  "INSERT INTO pg_replication_origin VALUES (62736, 'sno')";

# Settings that are kept for later sessions
foreach my $preloaded (0, 1)
{
	my $how = $preloaded ? 'preloaded' : 'not preloaded';

	SnoTest::write_settings($server, $preloaded ? preload() : {});
	$clock->run(sub { $server->restart });
	foreach my $setting (@cluster_settings)
	{
		is(refusal("ALTER SYSTEM SET $setting = 5"), '42501', "$how: ALTER SYSTEM does not set $setting");
		is(refusal("ALTER DATABASE postgres SET $setting = 5"),
			'42501', "$how: nor does ALTER DATABASE with one of others");
		is(refusal("ALTER ROLE other SET $setting = 5"), '42501', 'nor ALTER ROLE with another one');
		like(refusal("ALTER ROLE ordinary SET $setting = 5"), qr/^(42501|55P02)$/, 'nor with oneself');
		like(refusal("ALTER DATABASE own SET $setting = 5"),
			qr/^(42501|55P02)$/, 'nor ALTER DATABASE with one of one\'s own');
	}

	refusal("ALTER ROLE ordinary SET sno.codec = 'scalar'");
	is( $server->safe_psql('postgres', "DO 'BEGIN PERFORM sno_generate(); END'; SHOW sno.codec",
			extra_params => [ '-U', 'ordinary' ]),
		'auto', "$how: ALTER ROLE does not set sno.codec");
	query('ALTER ROLE ordinary RESET ALL');
}

# Waits for the clock: an ordinary role begins one that has no end
sub wait_can_be_ended
{
	my ($event) = @_;
	my ($session, $pid);

	is_error($server, 'postgres',
		"SET sno.wait_timeout = -1; SET statement_timeout = '200ms'; SELECT sno_generate()",
		'57014', qr/statement timeout/, "$event: statement_timeout ends it", @ordinary);
	is_error($server, 'postgres',
		"SET sno.wait_timeout = -1; SET lock_timeout = '1ms';"
		  . "SET statement_timeout = '200ms'; BEGIN; INSERT INTO event SELECT sno_generate()",
		'57014', qr/statement timeout/, "$event: also in a transaction");

	($session, $pid) = start_waiting($server, $event, 'SELECT sno_generate()', '-c role=ordinary');
	query("SELECT pg_cancel_backend($pid)");
	ends_in_error($session, '57014', 'user request', "$event: it can be cancelled");

	($session, $pid) = start_waiting($server, $event, 'SELECT sno_generate()', '-c role=ordinary');
	query("SELECT pg_terminate_backend($pid)");
	ends_in_error($session, '57P01', 'terminating connection', "$event: it can be terminated");

	($session, $pid) = start_waiting($server, $event, 'SELECT sno_generate()', '-c role=ordinary');
	is(query('SELECT count(*) FROM sno_stat; SELECT sno_snapshot() IS NOT NULL'), "1\nt", "$event: it locks nothing that others read");
	$clock->run(sub { $server->restart });
	ends_in_error($session, '57P01', 'terminating connection', "$event: it does not keep the server from stopping");
	return;
}

# Both planes are used for the present, then the clock is set back to before
query('SELECT sno_generate()');
$clock->set(-3600);
query('SELECT sno_generate()');
$clock->set(-7200);
wait_can_be_ended('SnoRegression');

# The server was restarted, and nobody has made an id since
wait_can_be_ended('SnoRestart');
$clock->set(0);
query('SELECT sno_generate()');

# Planning: predicates of thousands of bounds
{
	my @bounds = map { "id > '9d22222222222" . join('', (2 .. 9, 'a' .. 'x')[ $_ / 1024 % 32, $_ / 32 % 32, $_ % 32 ]) . "'" }
	  1 .. 10_000;
	my %predicates = (
		'a conjunction' => join(' AND ', @bounds),
		'a disjunction' => join(' OR ', @bounds),
		'a conjunction within a disjunction' => 'n = 1 OR (' . join(' AND ', @bounds) . ')',
		'conjunctions within a disjunction' =>
		  join(' OR ', map { '(' . join(' AND ', @bounds[ 100 * $_ .. 100 * $_ + 99 ]) . ')' } 0 .. 99),
		'conjunctions and disjunctions within each other' =>
		  join('', map { "($bounds[2 * $_] AND ($bounds[2 * $_ + 1] OR " } 0 .. 1499) . 'true' . '))' x 1500);

	query("INSERT INTO event SELECT sno_make('2026-01-01', sequence => n), n FROM generate_series(1, 1000) AS n; ANALYZE event; GRANT SELECT ON event TO ordinary");
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

# table_partitions.pl
#	Partitions of a table that others use: the daily script of doc/table-partitions.md, run by
#	the owner of the table, and sessions that wait for each other.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

my $server = new_server('table_partitions', databases => []);
my @app = (extra_params => [ '-U', 'app' ]);

query($server, <<'EOSQL');
CREATE SCHEMA ext;
GRANT USAGE ON SCHEMA ext TO PUBLIC;
CREATE EXTENSION sno SCHEMA ext;
ALTER DATABASE postgres SET search_path = public, ext;
CREATE ROLE app LOGIN;
CREATE ROLE stranger LOGIN;
GRANT CREATE ON DATABASE postgres TO stranger;
GRANT CREATE ON SCHEMA public TO app;
EOSQL

# A table with partitions of a hundred and of ninety-five days ago, and of these days
sub create_table
{
	query($server, <<'EOSQL', @app);
SET client_min_messages = error;
DROP TABLE IF EXISTS visit;
CREATE TABLE visit (id sno PRIMARY KEY) PARTITION BY RANGE (id);
SELECT sno_create_partitions('visit', now() - interval '100 days', now() - interval '98 days', '1 day');
SELECT sno_create_partitions('visit', now() - interval '95 days', now() - interval '94 days', '1 day');
SELECT sno_create_partitions('visit', now(), now() + interval '5 days', '1 day');
EOSQL
	return;
}

# How many partitions are old, detached or not, how many are of the next week, and
# how many there are of those
sub partitions
{
	return query($server, <<'EOSQL');
SET search_path = pg_catalog, public, ext;
SELECT (SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relname ~ '^visit_'
			AND to_date(right(relname, 8), 'YYYYMMDD') < now() - interval '92 days'),
	(SELECT count(*) FROM sno_range_partitions('visit') WHERE lower_time > now() - interval '1 day' AND lower_time < now() + interval '7 days')
EOSQL
}

# A session of that role with an open transaction
sub transaction
{
	my ($role, $sql) = @_;
	my $session = $server->background_psql('postgres', extra_params => [ '-U', $role ]);

	$session->query_safe("BEGIN; $sql");
	return $session;
}

# The script as the page has it, with less patience
my $script = page_block('doc/table-partitions.md', '\set ON_ERROR_STOP off');
my $script_file = "$PostgreSQL::Test::Utils::tmp_check/partitions.sql";

$script =~ s/'10min'/'1s'/ && $script =~ s/'5s'/'500ms'/g or die 'the script of doc/table-partitions.md has other timeouts';
set_file($script_file, $script);

# run_script(STATUS, PARTITIONS, NAME)
sub run_script
{
	my ($status, $expected, $name) = @_;
	my $output;

	IPC::Run::run([ 'psql', '-Xq', '-U', 'app', '-d', $server->connstr('postgres'), '-f', $script_file ],
		'<', '/dev/null', '>', \$output, '2>&1');
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is($? >> 8, $status, "$name: the exit status") or diag($output);
	is(partitions(), $expected, "$name: old partitions, and new ones") or diag($output);
	return $output;
}

create_table();
run_script(0, '0|8', 'nobody else is there');

# Those who may do nothing with the table
create_table();
my ($old) = query($server, q(SELECT partition FROM sno_range_partitions('visit') LIMIT 1));
query($server, "CREATE SCHEMA strange; CREATE TABLE strange.day (row public.$old)", extra_params => [ '-U', 'stranger' ]);
like(run_script(3, '1|8', 'an old partition that is needed'), qr/WARNING.*$old.*depends on type public.$old.*partitions are missing or left over/s,
	'the output tells which, and why');
query($server, 'DROP SCHEMA strange CASCADE', extra_params => [ '-U', 'stranger' ]);
run_script(0, '0|8', 'when it is needed no more');

my $reserved = query($server, q(SELECT 'visit_' || to_char(now() AT TIME ZONE 'UTC' + interval '6 days', 'YYYYMMDD')));
create_table();
query($server, "CREATE TABLE $reserved ()");
like(run_script(3, '0|7', 'a name that is taken'), qr/WARNING.*relation "$reserved" already exists/, 'the output tells which');
query($server, "DROP TABLE $reserved");

# A transaction that has used the table, whatever its role may do there
foreach my $sql ('SELECT FROM public.visit', "PREPARE held AS SELECT FROM public.$old")
{
	my $role = $sql =~ /PREPARE/ ? 'stranger' : 'app';
	# Only one at a time can be detached concurrently.  From 19 on, none is begun
	# with that cannot be given a constraint before.
	my $left = $sql =~ /PREPARE/ && query($server, 'SHOW server_version_num') >= 190000 ? '1|8' : '5|8';

	create_table();
	my $session = transaction($role, $sql);
	like(run_script(3, $left, "in the way: $sql"), qr/canceling statement due to \w+ timeout/, 'detaching is given up');
	like(run_script(3, $left, 'again'), qr/canceling statement due to \w+ timeout/, 'and again');
	$session->query_safe('COMMIT');
	$session->quit;
	run_script(0, '0|8', 'when it has ended');
}

# Whoever may create functions in the database
query($server, <<'EOSQL');
CREATE SCHEMA evil;
GRANT USAGE ON SCHEMA evil TO app;
CREATE FUNCTION evil.trapped() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'trapped'; RETURN true; END $$;
CREATE FUNCTION evil.now() RETURNS timestamptz RETURN CASE WHEN evil.trapped() THEN 'infinity' END::timestamptz;
CREATE FUNCTION evil.format(text, VARIADIC "any") RETURNS text LANGUAGE internal AS 'text_format';
CREATE FUNCTION evil.sno_range_partitions(text) RETURNS SETOF record LANGUAGE sql AS 'SELECT evil.trapped()';
CREATE FUNCTION ext.sno_create_partitions(text, timestamptz, timestamptz, interval) RETURNS TABLE (partition regclass, created boolean)
	LANGUAGE sql AS 'SELECT NULL::regclass, evil.trapped()';
CREATE FUNCTION ext.sno_drop_partitions(text, timestamptz, detached boolean) RETURNS TABLE (partition text, dropped boolean)
	LANGUAGE sql AS 'SELECT NULL::text, evil.trapped()';
ALTER DATABASE postgres SET search_path = evil, pg_catalog, public, ext;
EOSQL
query($server, <<'EOSQL', @app);
SET search_path = pg_catalog, public, ext;
SELECT sno_create_partitions('visit'::regclass, pg_catalog.now() - interval '100 days', pg_catalog.now() - interval '99 days', '1 day');
EOSQL
unlike(run_script(0, '0|8', 'functions of the same names'), qr/trapped/, 'none of them is called');
query($server, <<'EOSQL');
ALTER DATABASE postgres SET search_path = public, ext;
DROP FUNCTION ext.sno_create_partitions(text, timestamptz, timestamptz, interval);
DROP FUNCTION ext.sno_drop_partitions(text, timestamptz, boolean);
EOSQL

# A partition that is in use is left, the others are dropped
create_table();
{
	my $session = transaction('stranger', "PREPARE held AS SELECT FROM public.$old");

	is(query($server, q(SET lock_timeout = '200ms'; SELECT count(*) FILTER (WHERE dropped), count(*) FROM sno_drop_partitions('visit', now() - interval '90 days')), @app),
		'4|5', 'a partition that is in use for longer than lock_timeout is left');
	is(partitions(), '1|6', 'and the others are gone');
	$session->quit;
}

# Sessions that wait for each other's partitions, whatever their snapshot
foreach my $level ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE')
{
	my @calls = (
		[ '8|0', "sno_create_partitions('visit', now(), now() + interval '7 days', '1 day')", 'created' ],
		[ '0|0', "sno_drop_partitions('visit', now() - interval '90 days')", 'dropped' ]);

	create_table();
	foreach my $call (@calls)
	{
		my ($expected, $function, $what) = @$call;
		my $second = transaction('app', "SET TRANSACTION ISOLATION LEVEL $level; SELECT 1");
		my $first = transaction('app', "SELECT count(*) FROM $function");

		$second->{stdin} .= "SELECT count(partition), count(*) FILTER (WHERE $what) FROM $function;\n\\echo done\n";
		$second->{run}->pump_nb;
		$server->poll_query_until('postgres', q(SELECT count(*) = 1 FROM pg_locks WHERE relation = 'visit'::regclass AND NOT granted))
		  or die 'the second session does not wait';
		$first->query_safe('COMMIT');
		$first->quit;
		is($second->query_safe('COMMIT'), "$expected\ndone", "$level: whoever waited sees what was $what");
		$second->quit;
	}
	is(partitions(), '0|8', "$level: all are created, or dropped, once");
}

done_testing();

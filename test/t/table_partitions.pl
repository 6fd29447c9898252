# table_partitions.pl
#	Partitions of a table: who may create and drop them and whose code runs as whom, sessions
#	that wait for each other, and the daily script of doc/table-partitions.md.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $server = new_server('table_partitions', databases => []);
my @app = (extra_params => [ '-U', 'app' ]);

# app owns the tables.  The next three may become app; dba may become a superuser, too, and
# operator may run programs as the server.
query($server, <<'EOSQL');
CREATE EXTENSION sno;
CREATE ROLE app LOGIN;
CREATE ROLE keeper LOGIN IN ROLE app;
CREATE ROLE dba LOGIN IN ROLE app, postgres;
CREATE ROLE operator LOGIN IN ROLE app, pg_execute_server_program;
CREATE ROLE tenant LOGIN;
GRANT CREATE ON SCHEMA public TO app;
EOSQL

my $create = q(sno_create_partitions('visit', now(), now() + interval '7 days', interval '1 day'));
my $drop = q(sno_drop_partitions('visit', now() - interval '90 days'));

# A table with partitions of five days about three months ago, and of these days
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

# How many partitions are old, and how many there are of the next week
sub partitions
{
	return query($server, <<'EOSQL');
SET search_path = pg_catalog, public;
SELECT count(*) FILTER (WHERE upper_time < now() - interval '92 days'), count(*) FILTER (WHERE upper_time > now())
	FROM sno_range_partitions('visit')
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

# Only the owner, in a session that is no superuser's, nor can become one
{
	create_table();
	foreach ([ 'dba', 'SET ROLE app;', qr/session can become a superuser/ ],
		[ 'operator', 'SET ROLE app;', qr/session can become role pg_execute_server_program/ ],
		[ 'keeper', '', qr/must be owner of table/ ])
	{
		my ($role, $first, $message) = @$_;

		is_error($server, 'postgres', "$first SELECT * FROM $_", '42501', $message,
			"$role is refused: $first $_", extra_params => [ '-U', $role ]) foreach $create, $drop;
	}
	is(partitions(), '5|6', 'of what was refused, nothing was done');
	query($server, "SET ROLE app; SELECT * FROM $create; SELECT * FROM $drop", extra_params => [ '-U', 'keeper' ]);
	is(partitions(), '0|8', 'a member does both after SET ROLE');
	is(query($server, q(SELECT string_agg(DISTINCT relowner::regrole::text, ' ') FROM pg_class WHERE relname ~ '^visit')),
		'app', 'all partitions are of the owner');
}

# What the owner has attached runs in the session of a member, who could not become more
query($server, <<'EOSQL', @app);
CREATE TABLE log (run_as name DEFAULT current_user);
GRANT INSERT ON log TO PUBLIC;
CREATE FUNCTION escape() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	way text;
BEGIN
	FOREACH way IN ARRAY
		'{RESET ROLE,RESET SESSION AUTHORIZATION,SET ROLE postgres,SET SESSION AUTHORIZATION postgres}'::text[] LOOP
		BEGIN
			EXECUTE way;
		EXCEPTION WHEN OTHERS THEN
			NULL;
		END;
		INSERT INTO public.log DEFAULT VALUES;
	END LOOP;
END
$$;
CREATE FUNCTION attached(n integer) RETURNS integer IMMUTABLE
	LANGUAGE plpgsql AS 'BEGIN PERFORM public.escape(); RETURN n; END';
CREATE TABLE trap (id sno PRIMARY KEY, n integer, CHECK (n > attached(1))) PARTITION BY RANGE (id);
CREATE INDEX ON trap ((n + attached(1)));
SELECT sno_create_partitions('trap', '2026-01-01 00:00+00', '2026-01-05 00:00+00', '1 day');
INSERT INTO trap VALUES (sno_make('2026-01-03 00:00+00'), 9);
EOSQL
$server->psql('postgres', "SET client_min_messages = error; SET ROLE app; SELECT count(*) FROM $_",
	extra_params => [ '-U', 'keeper' ])
  foreach q(sno_create_partitions('trap', '2026-01-05 00:00+00', '2026-01-06 00:00+00', '1 day')),
  q(sno_drop_partitions('trap', '2026-01-02 00:00+00'));
is(query($server, q(SELECT string_agg(DISTINCT run_as, ' ' ORDER BY run_as) FROM log)), 'app keeper',
	q(in a member's session, the owner's code becomes only what a member is));

# Who can rename the schema could put another one in its place.  The schema public is of the
# owner of the database.
{
	my $place = 'CREATE TABLE place (id sno) PARTITION BY RANGE (id)';
	my $created = $create =~ s/'visit'/'place'/r;
	my $is_refused = sub {
		my ($database, $role) = @_;

		is_error($server, $database, "SELECT * FROM $_", '42501',
			qr/owner of schema "\w+" cannot become owner of table.*DETAIL:  Role tenant can rename/s,
			"$role, in database $database: refused in the schema of tenant: $_", extra_params => [ '-U', $role ])
		  foreach map { s/'visit'/'place'/r } $create, $drop;
	};

	query($server, 'CREATE DATABASE rented OWNER tenant');
	$server->safe_psql('rented', "CREATE EXTENSION sno; $place");
	$is_refused->('rented', 'postgres');

	query($server,
		'CREATE SCHEMA rented AUTHORIZATION tenant; GRANT ALL ON SCHEMA rented TO app; '
		  . 'ALTER ROLE app SET search_path = rented, ext');
	query($server, $place, @app);
	$is_refused->('postgres', 'app');
	query($server, 'ALTER SCHEMA rented OWNER TO keeper');
	is(query($server, "SELECT count(*) FROM $created WHERE created", @app), '8',
		'not where the owner of the schema can become the owner of the table');
	query($server, 'ALTER ROLE app RESET search_path; DROP TABLE rented.place');
}

# Sessions that wait for each other's partitions
create_table();
foreach my $call ([ '8|0', $create, 'created', '5|6' ], [ '0|0', $drop, 'dropped', '5|8' ])
{
	my ($expected, $function, $what, $before) = @$call;
	my $second = transaction('app', 'SELECT 1');
	my $first = transaction('app', "SELECT count(*) FROM $function");

	$second->{stdin} .= "SELECT count(partition), count(*) FILTER (WHERE $what) FROM $function;\n\\echo done\n";
	$second->{run}->pump_nb;
	wait_until($server, q(count(*) = 1 FROM pg_locks WHERE relation = 'visit'::regclass AND NOT granted));
	is(partitions(), $before, "whoever lists what is to be $what does not wait");
	$first->query_safe('COMMIT');
	$first->quit;
	is(answer_of($second, 'COMMIT'), "$expected\ndone", "whoever waited sees what was $what");
	$second->quit;
}
is(partitions(), '0|8', 'sessions that wait for each other create and drop each partition once');

# The daily script as the page has it, with less patience
my $script = page_block('doc/table-partitions.md', '\set ON_ERROR_STOP on');

$script =~ s/'5s'/'200ms'/ or die 'the script of doc/table-partitions.md has another timeout';

# run_script(STATUS, PARTITIONS, NAME): what it says of errors
sub run_script
{
	my ($status, $expected, $name) = @_;
	my ($code, undef, $errors) = $server->psql('postgres', $script, on_error_stop => 0, @app);

	is($code, $status, "$name: the exit status") or diag($errors);
	is(partitions(), $expected, "$name: old partitions, and new ones") or diag($errors);
	return $errors;
}

create_table();
{
	my $session = transaction('app', 'SELECT FROM public.visit');

	like(run_script(3, '5|8', 'the table is in use'), qr/canceling statement due to lock timeout/, 'the output tells it');
	$session->quit;
	run_script(0, '0|8', 'when that transaction has ended');
}
query($server, <<'EOSQL', @app);
SELECT format('DROP TABLE %s', partition) FROM sno_range_partitions('visit') WHERE upper_time > now() \gexec
SELECT sno_create_partitions('visit', now() - interval '100 days', now() - interval '98 days', '1 day');
EOSQL
like(run_script(3, '3|0', 'a clock beyond the last partition'), qr/is the clock right/, 'the output asks for it');

done_testing();

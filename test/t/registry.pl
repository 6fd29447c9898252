# registry.pl
#	The registry of partitions, where there is more than one session, role or
#	cluster: nobody gets what another one has, and what was given is on record.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 200,			# that acquire at once
	CRASHED => 20,				# that acquire one range after the other
	NAMES => 2000,				# of each of these
	GIVEN => 300,				# before the crash
};

my $registry = new_server(
	'registry',
	init => { allows_streaming => 1 },
	# Each session pins buffers; a Cluster has 128 of them
	settings => preload('sno.partition' => 40_000, max_connections => SESSIONS + 20, shared_buffers => '16MB', max_prepared_transactions => 5, fsync => 'on', wal_writer_delay => '10s'));

# The page's schema, which the sessions of a test need not name
my $create = 'CREATE SCHEMA IF NOT EXISTS registry; CREATE EXTENSION sno_registry SCHEMA registry; SELECT registry.sno_registry_open();';
query($registry, "ALTER DATABASE postgres SET search_path = registry, public; $create");
query($registry, 'GRANT USAGE ON SCHEMA registry TO PUBLIC');

# Who has this partition
sub owner_of
{
	my ($server, $partition) = @_;

	return query($server, "SELECT owner FROM registry.sno_registry_partition WHERE partition = $partition");
}

# All at once
{
	my @files = map { ids_file("at_once_$_") } 1 .. SESSIONS;

	race_sessions(map { { server => $registry, output => $files[ $_ - 1 ], sql => "SELECT partition FROM sno_registry_acquire('session $_', 2);\n" } } 1 .. SESSIONS);
	is(output_of("cat @files | sort -u | wc -l"), SESSIONS, 'sessions that acquire at once get a range each');
	is(query($registry, "SELECT count(*) FROM sno_registry_partition WHERE owner LIKE 'session %'"), 2 * SESSIONS, 'as wide as they asked');
	like(owner_of($registry, 40_000), qr/^cluster \d+$/, q(the registry's own cluster is on record));

	race_sessions(map { { server => $registry, output => $files[$_], sql => "SELECT partition FROM sno_registry_acquire('the same');\n" } } 0 .. 19);
	is(output_of("cat @files[0 .. 19] | sort -u | wc -l"), 1, 'those of one owner get the same one');
}

# A crash.  The sessions ask for commits that do not wait, by a function, too.
{
	my @files = map { ids_file("crash_$_") } 1 .. CRASHED;
	my (@sessions, @given);

	query($registry, <<'EOF');
CREATE FUNCTION careless(owner text, OUT partition integer) LANGUAGE sql SET synchronous_commit = off
	AS $$ SELECT partition FROM sno_registry_acquire(owner, 1, '1 h') $$;
EOF
	@sessions = start_sessions(
		map {
			my $n = $_;

			{   server => $registry,
				output => $files[ $n - 1 ],
				options => '-c synchronous_commit=off',
				sql => join('', map { "SELECT format('(''crash $n $_'', %s)', careless('crash $n $_'));\n" } 1 .. NAMES) }
		} 1 .. CRASHED);
	wait_until($registry, "count(*) > ${\GIVEN} FROM sno_registry WHERE owner LIKE 'crash %'");
	crash($registry);
	end_sessions(@sessions);
	$registry->start;
	@given = map { slurp_file($_) =~ /^(\(.*\))$/mg } @files;
	cmp_ok(scalar @given, '>=', GIVEN, 'crash: ' . @given . ' ranges were given before');
	is(query($registry, 'SELECT count(*) FROM sno_registry WHERE (owner, partition) IN (' . join(', ', @given) . ')'), scalar @given, 'all of them are on record');
}

# Roles.  What they have put into their path, or call themselves, is of no use.
{
	my %as = map { $_ => [ extra_params => [ '-U', $_ ] ] } 'ordinary', 'team', 'team/a', 'cluster 1';

	query($registry, 'CREATE ROLE ordinary LOGIN');
	foreach my $role ('team', 'team/a', 'cluster 1')
	{
		query($registry, <<"EOF");
CREATE ROLE "$role" LOGIN;
CREATE SCHEMA "$role" AUTHORIZATION "$role";
ALTER ROLE "$role" SET search_path = "$role", pg_temp, registry, public, pg_catalog;
GRANT EXECUTE ON FUNCTION sno_registry_acquire, sno_registry_renew, sno_registry_release TO "$role";
EOF
	}
	is((error_of($registry, 'postgres', $_, @{ $as{ordinary} }))[0], '42501', "without a grant: $_ is refused") foreach
	  'TABLE sno_registry', 'TABLE sno_registry_partition', q(SELECT sno_registry_margin('0')), q(SELECT sno_registry_close('me')), 'SELECT sno_registry_open()', q(SELECT sno_registry_acquire('ordinary/x')),
	  q(SELECT 'x'::sno_registry_owner);

	is((error_of($registry, 'postgres', <<'EOF', @{ $as{team} }))[1], 't', 'own names: a role acquires, with traps in its path');
CREATE FUNCTION trapped() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped by %', current_user; END $$;
CREATE FUNCTION starts_with(text, text) RETURNS boolean RETURN trapped();
CREATE FUNCTION trap(text, text) RETURNS boolean RETURN trapped();
CREATE OPERATOR ~ (FUNCTION = trap, LEFTARG = text, RIGHTARG = text);
CREATE TEMP TABLE sno_registry_partition (owner text);
CREATE TEMP TABLE pg_extension (extname name, oid oid);
SELECT sno_registry_acquire('team/a/x', 1, '1 h') IS NOT DISTINCT FROM sno_registry_renew('team/a/x', '1 s');
EOF
	$registry->safe_psql('postgres', q(SELECT sno_registry_acquire('team%2Fa/x', 1, '1 h')), @{ $as{'team/a'} });
	is_error($registry, 'postgres', "SELECT sno_registry_$_->[1]", '42501', qr/permission denied for .*HINT:  Use a name that begins with "\Q$_->[0]\E/s, "own names: $_->[1] by $_->[0] is refused", @{ $as{ $_->[0] } }) foreach
	  [ 'team', q(acquire('tea')) ], [ 'team', q(acquire('teams/x')) ], [ 'team', q(renew('session 1', '1 h')) ], [ 'team', q(release('session 1')) ],
	  [ 'cluster 1', q(release('cluster 1/x')) ], [ 'cluster 1', q(acquire('cluster 1/x')) ];
	is_error($registry, 'postgres', q(SELECT sno_registry_release('team/a/x')), '42501', qr/begins with "team%2Fa/, 'own names: a role whose name begins with that of another has others', @{ $as{'team/a'} });
	is_error($registry, 'postgres', $_, '42501', qr/permission denied for/, "own names: $_ is refused", @{ $as{team} }) foreach
	  q(SELECT sno_registry_adopt('team/x', 5)), 'DELETE FROM registry.sno_registry_partition', 'BEGIN; LOCK registry.sno_registry_partition IN ACCESS SHARE MODE',
	  'UPDATE registry.sno_registry_choice SET chosen = now()';
	query($registry, 'GRANT EXECUTE ON FUNCTION sno_registry_adopt TO team');
	is((error_of($registry, 'postgres', q(SELECT sno_registry_release('session 1')), @{ $as{team} }))[0], '', 'a role that may adopt acts on all names');
	query($registry, 'DROP OWNED BY team, "team/a", "cluster 1"; DROP ROLE team, "team/a", "cluster 1"');
}

# Code that an owner has others run in maintenance does not act in their name
{
	my $as_app = [ '-U', 'app' ];

	query($registry, 'CREATE ROLE app LOGIN; CREATE SCHEMA app AUTHORIZATION app');
	query($registry, q(SELECT sno_registry_acquire('importer', 1, '1 h')));
	query($registry, <<'EOF', extra_params => $as_app);
CREATE FUNCTION app.release() RETURNS integer LANGUAGE plpgsql AS
	$$ BEGIN SET CONSTRAINTS ALL IMMEDIATE; PERFORM registry.sno_registry_release('importer'); RETURN 1; END $$;
CREATE MATERIALIZED VIEW app.trap AS SELECT app.release() WITH NO DATA;
EOF
	query($registry, 'GRANT EXECUTE ON FUNCTION sno_registry_release TO app');
	is_error($registry, 'postgres', 'REFRESH MATERIALIZED VIEW app.trap', '42501', qr/security-restricted operation/,
		'what runs in maintenance releases nothing');
	is(query($registry, q(SELECT count(*) FROM sno_registry WHERE owner = 'importer' AND state = 'in use')), '1', 'it is still on record');
	query($registry, q(SELECT sno_registry_release('importer'); DROP OWNED BY app; DROP ROLE app));
}

# An ordinary owner of a database, who has been generous, and a dump by that role
{
	my @as_owner = (extra_params => [ '-U', 'keeper' ]);
	my $file = ids_file('ordinary.sql');

	query($registry, 'CREATE ROLE keeper LOGIN; CREATE ROLE guest LOGIN');
	query($registry, "CREATE DATABASE $_ OWNER keeper") foreach 'ordinary', 'restored';
	$registry->safe_psql('ordinary', 'CREATE EXTENSION sno');
	$registry->safe_psql('ordinary', <<'EOF', @as_owner);
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO guest, PUBLIC;
ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO guest WITH GRANT OPTION;
CREATE SCHEMA registry;
GRANT USAGE ON SCHEMA registry TO guest;
CREATE EXTENSION sno_registry SCHEMA registry;
SELECT registry.sno_registry_open(), registry.sno_registry_acquire('db-1');
EOF
	is($registry->safe_psql('ordinary', q{SELECT pg_get_userbyid(extowner) FROM pg_extension WHERE extname = 'sno_registry'}),
		'keeper', 'the owner of a database creates the registry');
	is((error_of($registry, 'ordinary', $_, extra_params => [ '-U', 'guest' ]))[0], '42501', "default privileges do not help with: $_") foreach
	  'TABLE registry.sno_registry', 'TABLE registry.sno_registry_state', q(SELECT registry.sno_registry_acquire('guest/x')),
	  'CREATE TRIGGER trap BEFORE UPDATE ON registry.sno_registry_partition EXECUTE FUNCTION suppress_redundant_updates_trigger()', q(SELECT registry.sno_registry_close('me'));
	command_ok([ 'pg_dump', '-U', 'keeper', '-d', $registry->connstr('ordinary'), '-f', $file ], 'that owner dumps the database, with sno in it');
	output_of("sed -i '/EXTENSION.* sno[; ]/d' $file");
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-U', 'keeper', '-d', $registry->connstr('restored'), '-f', $file ], 'and restores it without sno');
	is($registry->safe_psql('restored', q(SELECT partition FROM registry.sno_registry_acquire('db-1')), @as_owner),
		$registry->safe_psql('ordinary', q(SELECT partition FROM registry.sno_registry WHERE owner = 'db-1')), 'with what was acquired');
	query($registry, "DROP DATABASE $_") foreach 'ordinary', 'restored';
}

# The owner of a schema can put a table in the place of ours.  Its trigger never runs with
# the rights of a superuser who has created the registry there; and no third role may create
# objects there.
{
	my $refused = sub {
		my ($grant, $schema, $pattern, @as) = @_;

		$registry->safe_psql('lent', $grant);
		is_error($registry, 'lent', "CREATE EXTENSION sno_registry SCHEMA $schema", '42501', qr/in schema $schema\nDETAIL:  .*$pattern.*HINT:.*CREATE SCHEMA registry; CREATE EXTENSION/s, "refused: $pattern", @as);
		$registry->safe_psql('lent', $grant =~ s/^GRANT (.*) TO/REVOKE $1 FROM/r) if $grant =~ /^GRANT/;
	};

	query($registry, 'CREATE ROLE tenant LOGIN');
	foreach my $way ('extension in public', 'script in public', 'extension in home')
	{
		my ($what, $schema) = split / in /, $way;

		query($registry, 'CREATE DATABASE lent OWNER keeper');
		$registry->safe_psql('lent', 'CREATE SCHEMA home AUTHORIZATION keeper; GRANT CREATE ON SCHEMA home TO keeper');
		$refused->("GRANT CREATE ON SCHEMA $schema TO PUBLIC", $schema, 'PUBLIC may create objects');
		$refused->("GRANT CREATE ON SCHEMA $schema TO tenant", $schema, 'tenant may create objects');
		$refused->('GRANT CREATE ON DATABASE lent TO tenant', $schema, 'only that role may create objects', extra_params => [ '-U', 'tenant' ]);
		$what eq 'script'
		  ? output_of("sed 's/\@extschema\@/public/g' $ENV{TESTDIR}/sql/registry/sno_registry.sql | psql -Xq -1 -v ON_ERROR_STOP=1 -d '" . $registry->connstr('lent') =~ s/'//gr . "'")
		  : is($registry->safe_psql('lent', "BEGIN; CREATE EXTENSION sno_registry SCHEMA $schema; SELECT current_user = session_user; COMMIT"), 't', "$way: then the role is as before");
		$registry->safe_psql('lent', <<"EOF", extra_params => [ '-U', 'keeper' ]);
SELECT $schema.sno_registry_open();
ALTER SCHEMA $schema RENAME TO moved;
CREATE SCHEMA $schema;
GRANT USAGE ON SCHEMA $schema TO PUBLIC;
CREATE FUNCTION $schema.trap() RETURNS trigger LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'trapped as %', current_user; END \$\$;
CREATE TABLE $schema.sno_registry_state (is_open boolean, successor text);
CREATE DOMAIN $schema.sno_registry_owner AS text;
CREATE TABLE $schema.sno_registry_partition (LIKE moved.sno_registry_partition);
CREATE TRIGGER trap BEFORE UPDATE ON $schema.sno_registry_partition EXECUTE FUNCTION $schema.trap();
GRANT ALL ON ALL TABLES IN SCHEMA $schema TO PUBLIC;
EOF
		is_error($registry, 'lent', q(SELECT moved.sno_registry_release('x')), 'P0001', $schema eq 'home' ? qr/as keeper/ : qr/as pg_database_owner/,
			"$way, by a superuser: it has the rights of the schema's owner");
		query($registry, 'DROP DATABASE lent');
	}
	query($registry, 'DROP ROLE tenant');
}

# Whoever has acquired and does not end the transaction keeps only those out that have
# nothing yet
foreach my $way ('process', 'prepared transaction')
{
	my $session = $registry->background_psql('postgres');
	my $wait = q(SET lock_timeout = '100ms'; SELECT partition FROM sno_registry_acquire);

	$session->query_safe("BEGIN; SELECT sno_registry_acquire('in no hurry, $way')");
	$session->query_safe("PREPARE TRANSACTION 'open'") if $way ne 'process';
	is_error($registry, 'postgres', "$wait('in a hurry')", '55P03', qr/lock timeout/, "$way: a new owner waits for its end");
	is(query($registry, "$wait('the same')"), query($registry, q(SELECT partition FROM sno_registry WHERE owner = 'the same')),
		'an owner that is on record gets its range at once');
	$way eq 'process' ? $session->query_safe('COMMIT') : query($registry, q(COMMIT PREPARED 'open'));
	$session->quit;
}

# Closing refuses new calls at once, also while others are under way; the second call waits
# for these, and for no one else
{
	my ($open, $idle, $late) = map { $registry->background_psql('postgres', on_error_stop => 0) } 1 .. 3;
	my $renew = q(SELECT sno_registry_renew('the same', '1 h'));
	my $close = q(SELECT sno_registry_close('another'));
	my ($closing);

	$idle->query_safe('SET ROLE ordinary; BEGIN; PREPARE a AS INSERT INTO sno_registry_partition DEFAULT VALUES; PREPARE b AS INSERT INTO sno_registry_state DEFAULT VALUES');
	$open->query_safe("BEGIN; $renew");
	is(query($registry, $close), 'f', 'close: false while a call is under way');
	is_error($registry, 'postgres', $renew, '55000', qr/successor: another/, 'close: no one else renews from then on');
	($closing) = start_sessions({ server => $registry, sql => "$close;\n", output => ids_file('closed') });
	wait_for_lock($registry);
	is_error($registry, 'postgres', "SET lock_timeout = '1s'; $renew", '55000', qr/successor: another/, 'close: nor waits, while the second call does');
	$open->query_safe('COMMIT');
	finish_sessions($closing);
	is(slurp_file(ids_file('closed')), "t\n", 'close: true once that call has ended');
	query($registry, 'SELECT sno_registry_open()');

	# The first call is true, too, if none is under way.  One that has come before its commit waits.
	is(answer_of($open, "BEGIN; $close"), 't', 'close: true at once if no call is under way');
	$late->{stdin} .= "$renew;\n\\echo :SQLSTATE\n";
	$late->{run}->pump_nb;
	wait_for_lock($registry);
	$open->query_safe('COMMIT');
	like($late->query(''), qr/\A\n?55000\n?\z/, 'close: a call that waited for its commit is refused');
	$_->quit foreach $open, $idle, $late;
	query($registry, 'SELECT sno_registry_open()');
}

done_testing();

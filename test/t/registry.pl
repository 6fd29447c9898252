# registry.pl
#	The registry of partitions, with more than one session or role: no owner gets what
#	another one has.
use strict;
use warnings FATAL => 'all';

use SnoTest;

use constant SESSIONS => 100;	# that acquire at once

# Each session pins buffers; a Cluster has 128 of them
my $registry = new_server('registry', settings => preload('sno.partition' => 40_000,
		max_connections => SESSIONS + 20, shared_buffers => '16MB'));

# The page's schema, which the sessions of a test need not name
query($registry, <<'EOF');
ALTER DATABASE postgres SET search_path = registry, public;
CREATE SCHEMA registry;
GRANT USAGE ON SCHEMA registry TO PUBLIC;
CREATE EXTENSION sno_registry SCHEMA registry;
SELECT registry.sno_registry_open();
EOF

# All at once
{
	my @files = map { ids_file("at_once_$_") } 1 .. SESSIONS;

	race_sessions(map { { server => $registry, output => $files[ $_ - 1 ],
		sql => "SELECT partition FROM sno_registry_acquire('session $_', 2);\n" } } 1 .. SESSIONS);
	is(output_of("cat @files | sort -u | wc -l"), SESSIONS, 'sessions that acquire at once get a range each');
	is(query($registry, "SELECT count(*) FROM sno_registry_partition WHERE owner LIKE 'session %'"), 2 * SESSIONS,
		'sessions that acquire at once get ranges as wide as they asked');

	race_sessions(map { { server => $registry, output => $files[$_],
		sql => "SELECT partition FROM sno_registry_acquire('the same');\n" } } 0 .. 19);
	is(output_of("cat @files[0 .. 19] | sort -u | wc -l"), 1, 'those of one owner get the same one');
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
	  'TABLE sno_registry', 'TABLE sno_registry_partition', q(SELECT sno_registry_margin('0')),
	  q(SELECT sno_registry_close('me')), 'SELECT sno_registry_open()', q(SELECT sno_registry_acquire('ordinary/x')),
	  q{SELECT sno_registry_enter('x', now(), true)},
	  'CREATE FUNCTION pg_temp.f(sno_registry_owner) RETURNS text RETURN $1';

	is((error_of($registry, 'postgres', <<'EOF', @{ $as{team} }))[1], 't', 'own names: with traps in the path');
CREATE FUNCTION trapped() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped by %', current_user; END $$;
CREATE FUNCTION starts_with(text, text) RETURNS boolean RETURN trapped();
CREATE FUNCTION trap(text, text) RETURNS boolean RETURN trapped();
CREATE OPERATOR ~ (FUNCTION = trap, LEFTARG = text, RIGHTARG = text);
CREATE TEMP TABLE sno_registry_partition (owner text);
CREATE TEMP TABLE pg_extension (extname name, oid oid);
SELECT sno_registry_acquire('team/a/x', 1, '1 h') IS NOT DISTINCT FROM sno_registry_renew('team/a/x', '1 s');
EOF
	# From 19 on, the server itself refuses this one
	my $strings = query($registry, 'SHOW server_version_num') < 190000 ? 'SET standard_conforming_strings = off;' : '';

	is((error_of($registry, 'postgres', <<"EOF", @{ $as{'team/a'} }))[1], 't', 'own names: a slash, hostile settings');
$strings SET IntervalStyle = sql_standard;
SET DateStyle = 'SQL, DMY'; SET extra_float_digits = -15;
SET transform_null_equals = on; SET quote_all_identifiers = on; SET bytea_output = escape;
SELECT sno_registry_acquire('team%2Fa/x', 1, '1 h') IS NOT DISTINCT FROM sno_registry_renew('team%2Fa/x', '1 s');
EOF
	is_error($registry, 'postgres', "SELECT sno_registry_$_->[1]", '42501',
		qr/permission denied for .*HINT:  Use a name that begins with "\Q$_->[0]\E/s,
		"own names: $_->[1] by $_->[0] is refused", @{ $as{ $_->[0] } }) foreach
	  [ 'team', q(acquire('tea')) ], [ 'team', q(acquire('teams/x')) ],
	  [ 'team', q(renew('session 1', '1 h')) ], [ 'team', q(release('session 1')) ],
	  [ 'cluster 1', q(release('cluster 1/x')) ], [ 'cluster 1', q(acquire('cluster 1/x')) ];
	is_error($registry, 'postgres', q(SELECT sno_registry_release('team/a/x')), '42501', qr/begins with "team%2Fa/,
		'own names: a role whose name begins with that of another has others', @{ $as{'team/a'} });
	is_error($registry, 'postgres', $_, '42501', qr/permission denied for/, "own names: $_ is refused", @{ $as{team} })
		foreach
	  q(SELECT sno_registry_adopt('team/x', 5)), 'DELETE FROM registry.sno_registry_partition',
	  'BEGIN; LOCK registry.sno_registry_partition IN ACCESS SHARE MODE',
	  'UPDATE registry.sno_registry_choice SET chosen = now()';
	query($registry, 'GRANT EXECUTE ON FUNCTION sno_registry_adopt TO team');
	is((error_of($registry, 'postgres', q(SELECT sno_registry_release('session 1')), @{ $as{team} }))[0],
		'', 'a role that may adopt acts on all names');
}

# The registry's own cluster has the partitions that its settings name, or their hash, wherever
# in it sno is, and also where it is not yet
{
	my $cluster = new_server('cluster', databases => []);

	query($cluster, 'CREATE DATABASE other');
	foreach my $settings ({}, preload('sno.partition_count' => 3),
		preload('sno.partition' => 65_000, 'sno.partition_count' => 2))
	{
		my $database = 'registry_' . keys %$settings;
		my ($first, $count);

		configure($cluster, $settings);
		($first, $count) = split /\|/, $cluster->safe_psql('other',
			'CREATE EXTENSION IF NOT EXISTS sno; SELECT partition, partition_count FROM sno_stat()');
		query($cluster, "CREATE DATABASE $database");
		$cluster->safe_psql($database, 'CREATE EXTENSION sno_registry; SELECT sno_registry_open()');
		is_error($cluster, $database, "SELECT sno_registry_adopt('other', $_)",
			'55006', qr/of "cluster \d+" is not free for "other"/,
			"its own cluster, with $count: $_ goes to no one else") foreach $first, $first + $count - 1;
	}
}

# The owner of a schema can put a table in the place of ours.  Its trigger never runs with
# the rights of a superuser who has created the registry there; and no third role may create
# objects there.
{
	my $refused = sub {
		my ($privilege, $role, $pattern, @as) = @_;

		$registry->safe_psql('lent', "GRANT $privilege TO $role");
		is_error($registry, 'lent', 'CREATE EXTENSION sno_registry SCHEMA home', '42501',
			qr/in schema home\nDETAIL:  .*$pattern.*HINT:.*CREATE SCHEMA registry; CREATE EXTENSION/s, "refused: $pattern", @as);
		$registry->safe_psql('lent', "REVOKE $privilege FROM $role");
	};

	query($registry, <<'EOF');
CREATE ROLE keeper LOGIN;
CREATE ROLE tenant LOGIN;
CREATE DATABASE lent OWNER keeper;
EOF
	$registry->safe_psql('lent', <<'EOF');
CREATE SCHEMA home AUTHORIZATION keeper;
GRANT CREATE ON SCHEMA home TO keeper;
GRANT USAGE ON SCHEMA home TO tenant;
ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT ALL ON TABLES TO tenant, PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE keeper GRANT ALL ON FUNCTIONS TO tenant WITH GRANT OPTION;
EOF
	$refused->('CREATE ON SCHEMA home', 'PUBLIC', 'PUBLIC may create objects');
	$refused->('CREATE ON SCHEMA home', 'tenant', 'tenant may create objects');
	$refused->('CREATE ON DATABASE lent', 'tenant',
		'only that role may create objects', extra_params => [ '-U', 'tenant' ]);
	is($registry->safe_psql('lent',
		'BEGIN; CREATE EXTENSION sno_registry SCHEMA home; SELECT current_user = session_user; COMMIT'),
		't', 'created by a superuser in the schema of another role: then the role is as before');
	is((error_of($registry, 'lent', $_, extra_params => [ '-U', 'tenant' ]))[0],
		'42501', "default privileges do not help with: $_") foreach
	  'TABLE home.sno_registry', 'TABLE home.sno_registry_state', q(SELECT home.sno_registry_acquire('tenant/x')),
	  'CREATE TRIGGER trap BEFORE UPDATE ON home.sno_registry_partition EXECUTE FUNCTION '
		. 'suppress_redundant_updates_trigger()', q(SELECT home.sno_registry_close('me'));
	$registry->safe_psql('lent', <<'EOF', extra_params => [ '-U', 'keeper' ]);
SELECT home.sno_registry_open();
ALTER SCHEMA home RENAME TO moved;
CREATE SCHEMA home;
GRANT USAGE ON SCHEMA home TO PUBLIC;
CREATE FUNCTION home.trap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped as %', current_user; END $$;
CREATE DOMAIN home.sno_registry_owner AS text;
CREATE FUNCTION home.sno_registry_enter(home.sno_registry_owner, timestamptz, boolean) RETURNS interval
	RETURN interval '1 min';
CREATE TABLE home.sno_registry_partition (LIKE moved.sno_registry_partition);
CREATE TRIGGER trap BEFORE UPDATE ON home.sno_registry_partition EXECUTE FUNCTION home.trap();
GRANT ALL ON ALL TABLES IN SCHEMA home TO PUBLIC;
EOF
	is_error($registry, 'lent', q(SELECT moved.sno_registry_release('x')), 'P0001', qr/as keeper/,
		'created by a superuser in the schema of another role: a function has the rights of that role');
}

# Closing refuses new calls at once, also while others are under way; the second call waits
# for these, and for no one else
{
	my ($open, $idle) = map { $registry->background_psql('postgres') } 1 .. 2;
	my $renew = q(SELECT sno_registry_renew('the same', '1 h'));
	my $close = q(SELECT sno_registry_close('another'));

	$idle->query_safe('SET ROLE ordinary; BEGIN; PREPARE a AS INSERT INTO sno_registry_partition DEFAULT VALUES; '
		. 'PREPARE b AS INSERT INTO sno_registry_state DEFAULT VALUES');
	$open->query_safe("BEGIN; $renew");
	is(query($registry, $close), 'f', 'close: false while a call is under way');
	is_error($registry, 'postgres', $renew, '55000', qr/successor: another/, 'close: no one else renews from then on');
	my ($closing) = start_sessions({ server => $registry, sql => "$close;\n", output => ids_file('closed') });
	wait_for_lock($registry);
	is_error($registry, 'postgres', "SET lock_timeout = '1s'; $renew", '55000',
		qr/successor: another/, 'close: nor waits, while the second call does');
	$open->query_safe('COMMIT');
	finish_sessions($closing);
	is(slurp_file(ids_file('closed')), "t\n", 'close: true once that call has ended');
	$_->quit foreach $open, $idle;
}

done_testing();

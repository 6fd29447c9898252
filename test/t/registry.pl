# registry.pl
#	The registry of partitions, where there is more than one session, role or
#	cluster: nobody gets what another one has, and what was given is on record.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;

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
	my %given;
	my @sessions;

	query($registry, <<'EOF');
CREATE FUNCTION careless(owner text, OUT partition integer) LANGUAGE sql SET synchronous_commit = off
	AS $$ SELECT partition FROM sno_registry_acquire(owner, 1, '1 h') $$;
EOF
	@sessions = start_sessions(
		map {
			my $n = $_;

			{   server => $registry,
				output => ids_file("crash_$n"),
				options => '-c synchronous_commit=off',
				sql => join('', map { "SELECT 'crash $n $_', careless('crash $n $_');\n" } 1 .. NAMES) }
		} 1 .. CRASHED);

	$registry->poll_query_until('postgres', "SELECT count(*) > ${\GIVEN} FROM sno_registry WHERE owner LIKE 'crash %'")
	  or die 'nothing is acquired';
	crash($registry);
	end_sessions(@sessions);
	$registry->start;
	foreach my $line (map { split /\n/, slurp_file(ids_file("crash_$_")) } 1 .. CRASHED)
	{
		$given{$1} = $2 if $line =~ /^(.*)\|(\d+)$/;
	}
	cmp_ok(scalar keys %given, '>=', GIVEN, 'crash: ' . keys(%given) . ' ranges were given before');
	is(query($registry, 'SELECT count(*) FROM sno_registry WHERE (owner, partition) IN (' . join(', ', map { "('$_', $given{$_})" } keys %given) . ')'),
		scalar keys %given, 'all of them are on record');
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

# Two transactions that acquire two names in opposite order: new names do not lock each
# other out; of those that are on record, one is cancelled
foreach my $names ([ 'new 1', 'new 2', '' ], [ 'session 2', 'session 3', 'deadlock detected' ])
{
	my ($one, $two, $expected) = @$names;
	my $session = $registry->background_psql('postgres', on_error_stop => 0);
	my $other;

	# The one that waits last finds the deadlock
	$session->query_safe("SET deadlock_timeout = '100ms'; BEGIN; SELECT sno_registry_acquire('$one')");
	($other) = start_sessions({ server => $registry, sql => "SET deadlock_timeout = '1min';\nBEGIN;\nSELECT sno_registry_acquire('$two');\nSELECT sno_registry_acquire('$one');\nCOMMIT;\n" });
	$registry->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_locks WHERE NOT granted') or die 'it does not wait';
	$session->query("SELECT sno_registry_acquire('$two')");
	like($session->{stderr}, $expected eq '' ? qr/\A[^E]*\z/ : qr/ERROR:  $expected/, "two names in opposite order, '$one' and '$two': " . ($expected eq '' ? 'one waits' : 'one is cancelled'));
	$session->{stderr} = '';
	$session->query('COMMIT');
	$session->quit;
	finish_sessions($other);
	is(query($registry, "SELECT count(*) FROM sno_registry WHERE owner IN ('$one', '$two') AND state = 'in use'"), 2, 'and both names have theirs once');
}

# Who chooses a place releases what has expired, also of an owner that waits to choose
{
	my $chooser = $registry->background_psql('postgres');
	my ($waiting);

	query($registry, q(SELECT sno_registry_margin('0'), sno_registry_acquire('expired', 1, '1 s')));
	$chooser->query_safe(q(BEGIN; SELECT sno_registry_acquire('chooser 1', 1, '1 h')));
	$registry->poll_query_until('postgres', q(SELECT state = 'expired' FROM sno_registry WHERE owner = 'expired')) or die 'it does not expire';
	($waiting) = start_sessions({ server => $registry, sql => "SELECT sno_registry_acquire('expired', 1, '1 h');\n" });
	$registry->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_locks WHERE NOT granted') or die 'it does not wait';
	$chooser->query(q(SELECT sno_registry_acquire('chooser 2', 1, '1 h')));
	is($chooser->{stderr}, '', 'expired: who chooses does not wait for an owner that waits to choose');
	$chooser->query('COMMIT');
	$chooser->quit;
	finish_sessions($waiting);
	is(query($registry, q(SELECT count(*) FROM sno_registry WHERE owner IN ('expired', 'chooser 1', 'chooser 2') AND state = 'in use')), '3', 'expired: and all get their places');
	query($registry, q(SELECT sno_registry_margin('1 minute')));
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
	$registry->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_locks WHERE NOT granted') or die 'it does not wait';
	is_error($registry, 'postgres', "SET lock_timeout = '1s'; $renew", '55000', qr/successor: another/, 'close: nor waits, while the second call does');
	$open->query_safe('COMMIT');
	finish_sessions($closing);
	is(slurp_file(ids_file('closed')), "t\n", 'close: true once that call has ended');
	query($registry, 'SELECT sno_registry_open()');

	# The first call is true, too, if none is under way.  One that has come before its commit waits.
	is(answer_of($open, "BEGIN; $close"), 't', 'close: true at once if no call is under way');
	$late->{stdin} .= "$renew;\n\\echo :SQLSTATE\n";
	$late->{run}->pump_nb;
	$registry->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_locks WHERE NOT granted') or die 'it does not wait';
	$open->query_safe('COMMIT');
	like($late->query(''), qr/\A\n?55000\n?\z/, 'close: a call that waited for its commit is refused');
	$_->quit foreach $open, $idle, $late;
	query($registry, 'SELECT sno_registry_open()');
}

# A standby, and clusters with one system identifier
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	my $twin = PostgreSQL::Test::Cluster->new('twin');
	my $one = new_server('one', init => { allows_streaming => 1 }, settings => preload('sno.partition' => 50_000));

	$registry->backup('base');
	$standby->init_from_backup($registry, 'base', has_streaming => 1);
	$standby->start;
	is_error($standby, 'postgres', q(SELECT sno_registry_acquire('x')), '25006', qr/read-only transaction/, 'a standby gives nothing away');
	is(query($standby, 'SELECT count(*) > 0 FROM sno_registry'), 't', 'but can be asked');
	$standby->promote;
	is_error($registry, 'postgres', q{SELECT sno_registry_adopt('standby', } . query($standby, 'SELECT partition FROM sno_stat') . ')',
		'55006', qr/of "cluster \d+" is not free for "standby"/, 'once it lives beside its primary, the partition that they share is found');
	$standby->stop;

	$one->backup('base');
	$twin->init_from_backup($one, 'base');
	$twin->start;
	query($registry, q{SELECT sno_registry_adopt('one', } . query($one, 'SELECT partition FROM sno_stat') . ')');
	is_error($registry, 'postgres', q{SELECT sno_registry_adopt('twin', } . query($twin, 'SELECT partition FROM sno_stat') . ')',
		'55006', qr/of "one" is not free for "twin"/, 'so are those of the copy of another one');
	$_->stop foreach $one, $twin;
}

# The script of the page, for a node.  A node that has a number starts with it,
# whatever the registry does.
{
	my $node = PostgreSQL::Test::Cluster->new('node');
	my ($program, $file) = map { ids_file($_) } 'sno-partition', 'node.conf';
	my $connstr = $registry->connstr('postgres') =~ s/'//gr;
	my $said;
	my $run = sub {
		my ($name, $into, %params) = @_;
		my $set = join ' ', map { "$_='$params{$_}'" } grep { /^[A-Z]/ } sort keys %params;
		my $message = qx{env $set sh $program '$name' $into @{[ $params{instance} // '' ]} 2>&1};

		$said = $message;
		return $? == 0 ? '' : $message || 'an error';
	};
	my $number = sub { return -e $_[0] ? slurp_file($_[0]) : 'no file' };
	my %there = (SNO_REGISTRY => $connstr);
	my ($had, $session);

	set_file($program, page_block('sql/registry/README.md', "#!/bin/sh\n# sno-partition "));
	$node->init;
	$node->append_conf('postgresql.conf', "shared_preload_libraries = 'sno'\ninclude '$file'\n");
	like($run->('node 1', $file, SNO_REGISTRY => 'host=/nowhere'), qr/has no partition yet/, 'script: a new node gets nothing without the registry');
	ok(!$node->start(fail_ok => 1), 'script: and does not start in the automatic partition');
	is($run->('node 1', $file, %there, instance => 'machine-1'), '', 'script: with the registry, it gets a partition');
	$had = $number->($file);
	like($had, qr/\Asno\.partition = \d+\n\z/, 'script: and nothing else');
	$node->start;
	query($node, 'CREATE EXTENSION sno');
	is(owner_of($registry, query($node, 'SELECT sno_partition(sno_generate())')), 'node 1', 'script: in which it makes ids');
	$node->stop;

	# Another machine of that name, and what hangs or is wrong
	like($run->('node 1', "$file.2", %there, instance => 'machine-2'), qr/another instance of "node 1".*Instance "machine-1"/s,
		'script: another machine of that name is refused');
	set_file("$file.2", $had);
	like($run->('node 1', "$file.2", %there, instance => 'machine-2'), qr/another instance of "node 1".*must not start here/s,
		'script: even if it has a copy of the file');
	unlink "$file.2";
	$session = $registry->background_psql('postgres');
	$session->query_safe(q(BEGIN; SELECT sno_registry_acquire('in no hurry')));
	query($registry, q(ALTER DATABASE postgres SET default_transaction_isolation = 'serializable'));
	is($run->('node 1', "$file.2", %there, instance => 'machine-1'), '', 'script: a node on record gets its number while somebody has the lock, and whatever isolation is the default');
	is($number->("$file.2"), $had, 'script: the one that it has');
	like($run->('node 2', "$file.3", %there), qr/lock timeout.*has no partition yet/s, 'script: a new node does not wait for ever');
	$session->query_safe('ROLLBACK');
	$session->quit;
	query($registry, 'ALTER DATABASE postgres RESET default_transaction_isolation');
	kill 'STOP', my $postmaster = (split /\n/, slurp_file($registry->data_dir . '/postmaster.pid'))[0];
	is($run->('node 1', $file, %there, SNO_TIMEOUT => 2), '', 'script: a registry that hangs keeps no node from starting');
	kill 'CONT', $postmaster;
	is($run->('node 1', $file), '', 'script: nor does a connection string that is missing');
	like($said, qr/SNO_REGISTRY IS NOT SET.*keeps its partition/s, 'script: which is no registry that does not answer');
	like($run->('node 2', "$file.3"), qr/SNO_REGISTRY IS NOT SET.*has no partition yet/s, 'script: a new node does not start with that');
	foreach my $has ("sno.partition = 65000\n", $had)
	{
		set_file($file, $has);
		symlink '/dev/full', "$file.new" or die $!;
		is($run->('node 1', $file, %there, instance => 'machine-1') eq '', $has eq $had, 'script: on a full disk, a node starts only if its file has its number');
		unlink "$file.new";
	}
	foreach my $answer (q(E'7\narchive_command = 1'), q('65536'), q('-1'), q('007'), q(''), 'NULL', q('$(touch it)'))
	{
		query($registry, 'CREATE DATABASE hostile') if $answer =~ /archive/;
		$registry->safe_psql('hostile', "CREATE SCHEMA IF NOT EXISTS registry; CREATE OR REPLACE FUNCTION registry.sno_registry_acquire(text, integer, interval, text, OUT partition text) LANGUAGE sql AS \$\$ SELECT $answer\$\$");
		$run->('node 1', $file, SNO_REGISTRY => $connstr =~ s/dbname=postgres/dbname=hostile/r);
		is($number->($file), $had, "script: $answer is not written into the configuration");
	}
	query($registry, 'DROP DATABASE hostile');
	query($registry, q(SELECT sno_registry_adopt('db-old-1', 60000, 8)));
	is($run->('db-old-1', "$file.4", %there), '', 'script: an adopted server asks with the default count');
	is($number->("$file.4"), "sno.partition = 60000\n", 'script: and gets what it has');
}

# The procedures of the page for a move, and the script for servers without the
# extension
{
	my %connstr;
	my $in = sub {
		my ($database, $sql) = @_;
		return $registry->safe_psql($database, $sql);
	};
	my $page = sub {
		my ($line, $before) = (@_, '');
		my $script = ids_file('page.sh');

		set_file($script, page_block('sql/registry/README.md', $line));
		return output_of("cd ${PostgreSQL::Test::Utils::tmp_check} && OLD=\"$connstr{old}\" NEW=\"$connstr{new}\" $before bash $script 2>&1 || true");
	};
	my $all = q(SELECT partition, partition_count, owner, instance, since FROM registry.sno_registry ORDER BY 1);

	query($registry, 'CREATE ROLE manager LOGIN');
	foreach my $name (qw(old new))
	{
		query($registry, "CREATE DATABASE $name OWNER manager");
		$connstr{$name} = $registry->connstr($name) =~ s/'//gr . ' user=manager';
		$in->($name, 'SET ROLE manager; CREATE SCHEMA registry');
		output_of("sed 's/\@extschema\@/registry/g' $ENV{TESTDIR}/sql/registry/sno_registry.sql | psql -Xq -1 -v ON_ERROR_STOP=1 -d \"$connstr{$name}\"") if $name eq 'old';
	}
	is($in->('old', q(SELECT count(*) FROM pg_extension WHERE extname ~ 'sno')), '0', 'by psql -f: an ordinary role has the registry without any extension');
	$in->('new', 'SET ROLE manager; CREATE EXTENSION sno_registry SCHEMA registry');
	$in->('old', 'SELECT registry.sno_registry_open()');
	$in->('old', q(SELECT registry.sno_registry_margin('5 min'), registry.sno_registry_acquire('db-1'), registry.sno_registry_acquire('program', 1, '1 h', 'a'), registry.sno_registry_acquire('gone')));
	$in->('old', q(SELECT registry.sno_registry_release('gone')));

	my $dump = output_of('command -v pg_dump');
	my $session;

	$session = $registry->background_psql('old');
	$session->query_safe('BEGIN; SELECT FROM registry.sno_registry_state FOR KEY SHARE');
	like($page->('# move', 'PGOPTIONS="-c lock_timeout=100ms"'), qr/due to lock timeout/, 'move: if the old one cannot be closed,');
	$session->quit;
	is($in->('new', 'SELECT count(*) FROM registry.sno_registry_state'), '0', 'move: the new one is not opened');

	# As it is pasted into a shell, and something in the middle of it fails
	foreach my $way ([ 'fails', 'exit 1' ], [ 'is killed', "$dump \"\$\@\" | sed '/^COPY/q'; kill -9 \$\$" ])
	{
		mkdir ids_file('bin') if !-d ids_file('bin');
		set_file(ids_file('bin/pg_dump'), "#!/bin/sh\n$way->[1]\n");
		chmod 0755, ids_file('bin/pg_dump') or die $!;
		unlike($page->('# move', 'PATH=' . ids_file('bin') . ':$PATH'), qr/moved/, "move: pg_dump $way->[0], which is noticed,");
		is($in->('new', 'SELECT count(*) FROM registry.sno_registry_partition'), '0', 'move: and the new registry has nothing');
		is($in->('new', 'SELECT count(*) FROM registry.sno_registry_state'), '0', 'move: and was not opened');
	}
	like($page->('# move'), qr/^moved$/m, 'move: run again, it says when all is done');
	is($in->('new', $all), $in->('old', $all), 'move: the new registry has all that the old one has');
	is_error($registry, 'old', "SELECT registry.sno_registry_$_", '55000', qr/HINT:  Its successor: host=registry2/, "move: the old one does not $_") foreach
	  q(renew('program', '1 h', 'a')), q(acquire('x')), q(release('db-1'));
	is($in->('new', q(SELECT usable_from > now() AND expires - now() > '59 min' FROM registry.sno_registry_renew('program', '1 h', 'a'))), 't', 'move: the new one does, from some seconds on');
	is($in->('new', q(SELECT expires > now() FROM registry.sno_registry WHERE owner = 'gone')), 't', 'move: what was released before waits for the margin there');
	is($in->('new', 'SELECT margin FROM registry.sno_registry_state'), '00:05:00', 'move: which is that of the old one');
	like($page->('# move'), qr/duplicate key/, 'move: not into one that has been used');
	query($registry, "DROP DATABASE $_") foreach qw(old new);
}

# A dump is restored into another cluster, which gets a record of its own
{
	my $heir = new_server('heir', settings => preload('sno.partition' => 40_000), databases => []);
	my $all = 'SELECT * FROM registry.sno_registry ORDER BY 1, owner';
	my $file = ids_file('dump.sql');
	my $former = owner_of($registry, 40_000);
	my $acquire = sub { return "SELECT registry.sno_registry_acquire('$_[0]')" };
	my $own;

	command_ok([ 'pg_dump', '-d', $registry->connstr('postgres'), '-f', $file ], 'the registry is dumped');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $heir->connstr('postgres'), '-f', $file ], 'and restored into another cluster');
	is(query($heir, $all), query($registry, $all), 'all of it');
	is_error($heir, 'postgres', $acquire->('x'), '55006', qr/of "$former" is not free for "cluster/,
		'heir: nothing is given away as long as its partition is on record for the former cluster');
	query($heir, qq(SELECT registry.sno_registry_release('$former');) . $acquire->('x'));
	$own = owner_of($heir, 40_000);
	isnt($own, $former, 'heir: once that is released, it is on record itself');
	configure($heir, preload('sno.partition' => 20_000, 'sno.partition_count' => 2));
	query($heir, $acquire->('y'));
	is(owner_of($heir, $_), $own, "heir: other partitions than before are put on record beside them: $_") foreach 40_000, 20_001;
	query($heir, 'DROP EXTENSION sno');
	configure($heir, preload());
	is_error($heir, 'postgres', $acquire->('z'), '55000', qr/cannot see which.*HINT:  CREATE EXTENSION sno/s, 'heir: an automatic partition that cannot be seen is an error');
}

done_testing();

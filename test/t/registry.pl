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
	settings => preload('sno.partition' => 40_000, max_connections => SESSIONS + 20, max_prepared_transactions => 5, fsync => 'on', wal_writer_delay => '10s'));
query($registry, 'CREATE EXTENSION sno_registry');
my $problems = <<'EOF';
SELECT a FROM sno_registry_range AS a JOIN sno_registry_range AS b ON a.partitions && b.partitions AND a.ctid <> b.ctid
UNION ALL SELECT a FROM sno_registry_range AS a WHERE owner IS NULL AND partitions @> 40000
EOF

# Who has this partition
sub owner_of
{
	my ($server, $partition) = @_;

	return query($server, "SELECT owner FROM sno_registry_range WHERE partitions @> $partition");
}

# All at once
{
	my @files = map { ids_file("at_once_$_") } 1 .. SESSIONS;

	race_sessions(map { { server => $registry, output => $files[ $_ - 1 ], sql => "SELECT partition FROM sno_registry_acquire('session $_', 2);\n" } } 1 .. SESSIONS);
	is(output_of("cat @files | sort -u | wc -l"), SESSIONS, 'sessions that acquire at once get a range each');
	is(query($registry, $problems), '', 'and no two of these overlap');
	is(owner_of($registry, 40_000), query($registry, 'SELECT sno_registry_own_name()'), q(the registry's own cluster is on record));

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
	query($registry, join '', map { "SELECT sno_registry_acquire('after $_', 1);" } 1 .. 10);
	is(query($registry, $problems), '', 'and none is given twice');
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
ALTER ROLE "$role" SET search_path = "$role", pg_temp, public, pg_catalog;
GRANT EXECUTE ON FUNCTION sno_registry_acquire_own, sno_registry_renew_own, sno_registry_release_own TO "$role";
EOF
	}
	is((error_of($registry, 'postgres', $_, @{ $as{ordinary} }))[0], '42501', "without a grant: $_ is refused") foreach
	  'TABLE sno_registry', 'TABLE sno_registry_range', q(SELECT sno_registry_margin('0')), q(SELECT sno_registry_close('me')), 'SELECT sno_registry_open()', q(SELECT sno_registry_acquire('x')),
	  q(SELECT sno_registry_acquire_own('x', '1 h')), q(SELECT sno_registry_take(0, 65536, 'infinity'));

	is((error_of($registry, 'postgres', <<'EOF', @{ $as{team} }))[1], 't', 'own names: a role acquires, with traps in its path');
CREATE FUNCTION trapped() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped by %', current_user; END $$;
CREATE FUNCTION lower(int4range) RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped by %', current_user; END $$;
CREATE FUNCTION trap(int4range, int4range) RETURNS boolean RETURN trapped();
CREATE OPERATOR && (FUNCTION = trap, LEFTARG = int4range, RIGHTARG = int4range);
CREATE TEMP TABLE sno_registry_range (owner text);
CREATE TEMP TABLE pg_extension (extname name, extnamespace oid);
SELECT sno_registry_acquire_own('a/x', '1 h') IS NOT DISTINCT FROM sno_registry_renew_own('a/x', '1 s');
EOF
	$registry->safe_psql('postgres', q(SELECT sno_registry_acquire_own('x', '1 h')), @{ $as{$_} }) foreach 'team/a', 'cluster 1';
	is(query($registry, q(SELECT owner FROM sno_registry WHERE owner ~ '/' ORDER BY 1)),
		"cluster%201/x\nteam%2Fa/x\nteam/a/x", 'none has the names of another one');
	is_error($registry, 'postgres', $_, '42501', qr/permission denied for/, "own names: $_ is refused", @{ $as{team} }) foreach
	  q(SELECT sno_registry_acquire('team/b')), q(SELECT sno_registry_renew('session 1', '1 h')), q(SELECT sno_registry_release('session 1')),
	  q(SELECT sno_registry_adopt('team', 5)), 'DELETE FROM public.sno_registry_range', 'BEGIN; LOCK public.sno_registry_range IN ACCESS SHARE MODE';
	is_error($registry, 'postgres', q(SELECT sno_registry_release_own('b')), '42704', qr/"team\/b"/,
		'own names: what was not acquired is not released', @{ $as{team} });
	query($registry, 'DROP OWNED BY team, "team/a", "cluster 1"; DROP ROLE team, "team/a", "cluster 1"');
}

# Code that an owner has others run in maintenance does not act in their name
{
	my $as_app = [ '-U', 'app' ];

	query($registry, 'CREATE ROLE app LOGIN; CREATE SCHEMA app AUTHORIZATION app');
	query($registry, q(SELECT sno_registry_acquire_own('importer', '1 h')));
	query($registry, <<'EOF', extra_params => $as_app);
CREATE FUNCTION app.release() RETURNS integer LANGUAGE plpgsql AS
	$$ BEGIN SET CONSTRAINTS ALL IMMEDIATE; PERFORM public.sno_registry_release_own('importer'); RETURN 1; END $$;
CREATE MATERIALIZED VIEW app.trap AS SELECT app.release() WITH NO DATA;
EOF
	query($registry, 'GRANT EXECUTE ON FUNCTION sno_registry_release_own TO app');
	is_error($registry, 'postgres', 'REFRESH MATERIALIZED VIEW app.trap', '42501', qr/security-restricted operation/,
		'what runs in maintenance releases nothing');
	is(query($registry, q(SELECT count(*) FROM sno_registry WHERE owner ~ '/importer$')), '1', 'it is still on record');
	query($registry, q(SELECT sno_registry_release_own('importer'); DROP OWNED BY app; DROP ROLE app));
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
GRANT ALL ON SCHEMA public TO guest;
CREATE EXTENSION sno_registry;
SELECT sno_registry_acquire('db-1');
EOF
	is($registry->safe_psql('ordinary', q{SELECT pg_get_userbyid(extowner) FROM pg_extension WHERE extname = 'sno_registry'}),
		'keeper', 'the owner of a database creates the registry');
	is((error_of($registry, 'ordinary', $_, extra_params => [ '-U', 'guest' ]))[0], '42501', "default privileges do not help with: $_") foreach
	  'TABLE sno_registry', 'TABLE sno_registry_state', q(SELECT sno_registry_acquire('x')),
	  'CREATE TRIGGER trap BEFORE UPDATE ON sno_registry_range EXECUTE FUNCTION suppress_redundant_updates_trigger()',
	  'CREATE TABLE reference (owner text REFERENCES sno_registry_range (owner))', q(SELECT sno_registry_close('me'));
	command_ok([ 'pg_dump', '-U', 'keeper', '-d', $registry->connstr('ordinary'), '-f', $file ], 'that owner dumps the database, with sno in it');
	output_of("sed -i '/EXTENSION.* sno[; ]/d' $file");
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-U', 'keeper', '-d', $registry->connstr('restored'), '-f', $file ], 'and restores it without sno');
	is($registry->safe_psql('restored', q(SELECT partition FROM sno_registry_acquire('db-1')), @as_owner),
		$registry->safe_psql('ordinary', q(SELECT partition FROM sno_registry WHERE owner = 'db-1')), 'with what was acquired');
	query($registry, "DROP DATABASE $_") foreach 'ordinary', 'restored';
}

# The owner of a schema, and of a database for "public", can put a function in the
# place of another one.  It never runs with the rights of a superuser who has created
# the registry there.
{
	query($registry, 'CREATE ROLE tenant LOGIN');
	foreach my $way ('extension in public', 'script in public', 'extension in home')
	{
		my ($what, $schema) = split / in /, $way;

		query($registry, 'CREATE DATABASE lent OWNER keeper');
		$registry->safe_psql('lent', 'CREATE SCHEMA home AUTHORIZATION keeper; GRANT CREATE, USAGE ON SCHEMA home TO tenant');
		is_error($registry, 'lent', 'CREATE EXTENSION sno_registry SCHEMA home', '42501', qr/as the owner of schema home\nDETAIL:.*could act as that role\..*HINT:/s,
			'a role that cannot act as the owner of a schema creates no registry there', extra_params => [ '-U', 'tenant' ]);
		$what eq 'script'
		  ? output_of("psql -Xq -v ON_ERROR_STOP=1 -f $ENV{TESTDIR}/sno_registry.sql -d '" . $registry->connstr('lent') =~ s/'//gr . "'")
		  : is($registry->safe_psql('lent', "BEGIN; CREATE EXTENSION sno_registry SCHEMA $schema; SELECT current_user = session_user; COMMIT"), 't', "$way: then the role is as before");
		$registry->safe_psql('lent', <<"EOF", extra_params => [ '-U', 'keeper' ]);
ALTER SCHEMA $schema RENAME TO moved;
CREATE SCHEMA $schema;
GRANT USAGE ON SCHEMA $schema TO PUBLIC;
CREATE FUNCTION $schema.sno_registry_begin() RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN RAISE 'trapped as %', current_user; END \$\$;
EOF
		is_error($registry, 'lent', q(SELECT moved.sno_registry_release('x')), 'P0001', $schema eq 'home' ? qr/as keeper/ : qr/as pg_database_owner/,
			"$way, by a superuser: it has the rights of the schema's owner");
		query($registry, 'DROP DATABASE lent');
	}
	query($registry, 'DROP ROLE tenant');
}

# Whoever has acquired and does not end the transaction is named, and keeps only
# those out that have nothing yet
foreach my $way ('process', 'prepared transaction')
{
	my $session = $registry->background_psql('postgres');
	my $holder = $session->query_safe('SELECT pg_backend_pid()');
	my $wait = q(SET lock_timeout = '100ms'; SELECT partition FROM sno_registry_acquire);

	$session->query_safe("BEGIN; SELECT sno_registry_acquire('in no hurry, $way')");
	$session->query_safe("PREPARE TRANSACTION 'open'") if $way ne 'process';
	$holder = '"open"' if $way ne 'process';
	is_error($registry, 'postgres', "$wait('in a hurry')", '55P03', qr/DETAIL:  It is that of $way $holder\./, "who acquires is told of the $way that has not ended");
	is(query($registry, "$wait('the same')"), query($registry, q(SELECT partition FROM sno_registry WHERE owner = 'the same')),
		'an owner that is on record gets its range at once');
	$way eq 'process' ? $session->query_safe('COMMIT') : query($registry, q(COMMIT PREPARED 'open'));
	$session->quit;
}

# Closing waits for those that found the registry open, and for no one else
{
	my ($open, $idle) = map { $registry->background_psql('postgres') } 1 .. 2;
	my $renew = q(SELECT sno_registry_renew('the same', '1 h'));
	my ($closing);

	$idle->query_safe('SET ROLE ordinary; BEGIN; PREPARE a AS INSERT INTO sno_registry_range DEFAULT VALUES; PREPARE b AS INSERT INTO sno_registry_state DEFAULT VALUES');
	$open->query_safe("BEGIN; $renew");
	($closing) = start_sessions({ server => $registry, sql => "SELECT sno_registry_close('another');\n" });
	$registry->poll_query_until('postgres', 'SELECT count(*) = 1 FROM pg_locks WHERE NOT granted') or die 'it does not wait';
	is((error_of($registry, 'postgres', "SET lock_timeout = '1s'; " . $renew =~ s/the same/session 1/r))[0], '', 'close: while it waits, others renew');
	$open->query_safe('COMMIT');
	finish_sessions($closing);
	is_error($registry, 'postgres', $renew, '55000', qr/successor: another/, 'close: no one renews after it');
	$_->quit foreach $open, $idle;
	query($registry, 'SELECT sno_registry_open()');
}

# A standby, and clusters with one system identifier
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	my $twin = PostgreSQL::Test::Cluster->new('twin');
	my $one = new_server('one', init => { allows_streaming => 1 });

	$registry->backup('base');
	$standby->init_from_backup($registry, 'base', has_streaming => 1);
	$standby->start;
	is_error($standby, 'postgres', q(SELECT sno_registry_acquire('x')), '25006', qr/during recovery/, 'a standby gives nothing away');
	is(query($standby, 'SELECT count(*) > 0 FROM sno_registry'), 't', 'but can be asked');
	$standby->promote;
	is_error($registry, 'postgres', q{SELECT sno_registry_adopt('standby', } . query($standby, 'SELECT partition FROM sno_stat') . ')',
		'55006', qr/overlap those of "cluster \d+"/, 'once it lives beside its primary, the partition that they share is found');
	$standby->stop;

	$one->backup('base');
	$twin->init_from_backup($one, 'base');
	$twin->start;
	query($registry, q{SELECT sno_registry_adopt('one', } . query($one, 'SELECT partition FROM sno_stat') . ')');
	is_error($registry, 'postgres', q{SELECT sno_registry_adopt('twin', } . query($twin, 'SELECT partition FROM sno_stat') . ')',
		'55006', qr/partitions of "twin" overlap those of "one"/, 'so are automatic partitions that are the same');
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

	set_file($program, page_block('doc/partitions.md', "#!/bin/sh\n# sno-partition "));
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
	like($run->('node 2', "$file.3", %there), qr/has not ended.*has no partition yet/s, 'script: a new node does not wait for ever');
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
		$registry->safe_psql('hostile', "CREATE OR REPLACE FUNCTION sno_registry_acquire(text, integer, interval, interval, text, OUT partition text) LANGUAGE sql AS \$\$ SELECT $answer\$\$");
		$run->('node 1', $file, SNO_REGISTRY => $connstr =~ s/dbname=postgres/dbname=hostile/r);
		is($number->($file), $had, "script: $answer is not written into the configuration");
	}
	query($registry, 'DROP DATABASE hostile');
	query($registry, q(SELECT sno_registry_adopt('db-old-1', 400, 8)));
	is($run->('db-old-1', "$file.4", %there), '', 'script: an adopted server asks with the default count');
	is($number->("$file.4"), "sno.partition = 400\n", 'script: and gets what it has');
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

		set_file($script, page_block('doc/partitions.md', $line));
		return output_of("cd ${PostgreSQL::Test::Utils::tmp_check} && OLD=\"$connstr{old}\" NEW=\"$connstr{new}\" $before bash $script 2>&1 || true");
	};
	my $owners = 'SELECT owner, partition, partition_count, instance FROM sno_registry';
	my $all = q(SELECT partition, partition_count, owner, instance, usable_from, expires FROM sno_registry WHERE owner !~ 'cluster' ORDER BY 1);

	query($registry, 'CREATE ROLE manager LOGIN');
	foreach my $name (qw(old new))
	{
		query($registry, "CREATE DATABASE $name OWNER manager");
		$connstr{$name} = $registry->connstr($name) =~ s/'//gr . ' user=manager';
		output_of("psql -Xq -v ON_ERROR_STOP=1 -d \"$connstr{$name}\" -f $ENV{TESTDIR}/sno_registry.sql") if $name eq 'old';
	}
	is($in->('old', q(SELECT count(*) FROM pg_extension WHERE extname ~ 'sno')), '0', 'by psql -f: an ordinary role has the registry without any extension');
	$in->('new', 'SET ROLE manager; CREATE EXTENSION sno_registry');
	$in->('old', q(SELECT sno_registry_margin('5 min'), sno_registry_acquire('db-1'), sno_registry_acquire('program', 1, '1 h', instance => 'a')));

	my $dump = output_of('command -v pg_dump');
	my $session;

	$session = $registry->background_psql('old');
	$session->query_safe('BEGIN; SELECT FROM sno_registry_state FOR KEY SHARE');
	like($page->('# move', 'PGOPTIONS="-c lock_timeout=100ms"'), qr/due to lock timeout/, 'move: if the old one cannot be closed,');
	$session->quit;
	is($in->('new', 'SELECT count(*) FROM sno_registry_state'), '0', 'move: the new one is not opened');

	# As it is pasted into a shell, and something in the middle of it fails
	foreach my $way ([ 'fails', 'exit 1' ], [ 'is killed', "$dump \"\$\@\" | sed '/^COPY/q'; kill -9 \$\$" ])
	{
		mkdir ids_file('bin') if !-d ids_file('bin');
		set_file(ids_file('bin/pg_dump'), "#!/bin/sh\n$way->[1]\n");
		chmod 0755, ids_file('bin/pg_dump') or die $!;
		unlike($page->('# move', 'PATH=' . ids_file('bin') . ':$PATH'), qr/moved/, "move: pg_dump $way->[0], which is noticed,");
		is($in->('new', 'SELECT count(*) FROM sno_registry_range'), '0', 'move: and the new registry has nothing');
		is($in->('new', 'SELECT count(*) FROM sno_registry_state'), '0', 'move: and was not opened');
	}
	like($page->('# move'), qr/^moved$/m, 'move: run again, it says when all is done');
	is($in->('new', $all), $in->('old', $all), 'move: the new registry has all that the old one has');
	is_error($registry, 'old', q(SELECT sno_registry_renew('program', '1 h', 'a')), '55000', qr/HINT:  Its successor: host=registry2/, 'move: the old one renews nothing');
	is((error_of($registry, 'new', q(SELECT sno_registry_renew('program', '1 h', 'a'))))[0], '', 'move: the new one does');
	is($in->('new', 'SELECT margin FROM sno_registry_state'), '00:05:00', 'move: with its margin');
	like($page->('# move'), qr/conflicting key/, 'move: not into one that has been used');

	# Both have given ranges away
	@connstr{qw(old new)} = @connstr{qw(new old)};
	query($registry, 'DROP DATABASE old');
	query($registry, 'CREATE DATABASE old OWNER manager');
	$in->('old', 'SET ROLE manager; CREATE EXTENSION sno_registry');
	$in->('old', q(SELECT sno_registry_adopt('db-9', 900, 2)));
	$page->('# merge');
	is($in->('old', "$owners WHERE owner !~ 'cluster' ORDER BY owner"), $in->('new', "$owners WHERE owner !~ 'cluster' ORDER BY owner") =~ s/\n/\ndb-9|900|2|\n/r,
		'merge: the one that has been used has both');
	$in->('new', q(SELECT sno_registry_open(), sno_registry_adopt('db-10', 901, 1)));
	like($page->('# merge'), qr/partitions of "db-10" overlap those of "db-9"/, 'merge: what both gave away is found');
	is($in->('old', q(SELECT count(*) FROM sno_registry WHERE owner = 'db-10')), '0', 'merge: and nothing is half done');
	query($registry, "DROP DATABASE $_") foreach qw(old new);
}

# A dump is restored into another cluster, which gets a record of its own
{
	my $heir = new_server('heir', settings => preload('sno.partition' => 40_000), databases => []);
	my $all = 'SELECT * FROM sno_registry ORDER BY 1';
	my $file = ids_file('dump.sql');
	my $former = query($registry, 'SELECT sno_registry_own_name()');
	my $own;

	command_ok([ 'pg_dump', '-d', $registry->connstr('postgres'), '-f', $file ], 'the registry is dumped');
	command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $heir->connstr('postgres'), '-f', $file ], 'and restored into another cluster');
	is(query($heir, $all), query($registry, $all), 'all of it');
	is_error($heir, 'postgres', q(SELECT sno_registry_acquire('x')), '55006', qr/overlap those of "$former"/,
		'heir: nothing is given away as long as its partition is on record for the former cluster');
	query($heir, qq(SELECT sno_registry_release('$former'); SELECT sno_registry_acquire('x')));
	$own = query($heir, 'SELECT sno_registry_own_name()');
	isnt($own, $former, 'heir: once that is released,');
	is(owner_of($heir, 40_000), $own, 'it is on record itself');
	configure($heir, preload('sno.partition' => 20_000, 'sno.partition_count' => 2));
	query($heir, q(SELECT sno_registry_acquire('y')));
	is(owner_of($heir, 20_001), "$own/20000", 'heir: other partitions than before are put on record, too');
	is(owner_of($heir, 40_000), $own, 'beside the former ones');
	is(query($heir, $problems), '', 'heir: nothing overlaps');
}

done_testing();

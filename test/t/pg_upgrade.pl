# pg_upgrade.pl
#	A cluster becomes a new one, by pg_upgrade, or by a dump with the commands of
#	doc/administration.md: its ids, indexes and defaults are what they were, and it makes none
#	of the old ids, even with a clock an hour behind.
#
# The old cluster is of the installation in the folder OLD_INSTALLATION (its bin is in
# there), by default of the one that is tested.
use strict;
use warnings FATAL => 'all';

use SnoLoad;
use SnoTest;
use SnoTrouble;

use constant PAST_S => 10;		# how long the old one makes ids an hour ago

chomp(my $new_bindir = qx{$ENV{PG_CONFIG} --bindir});
my $old_installation = $ENV{OLD_INSTALLATION} // $new_bindir =~ s{/bin$}{}r;

# Two clusters do not agree on checksums by default, from PostgreSQL 18 on
my $init = { extra => ['--data-checksums'] };

# What the documentation says to run, in the folder of the test
my $page = slurp_file("$ENV{TESTDIR}/doc/administration.md");
my ($take, $give) = $page =~ /^```sh\n(psql .*?)^```$/msg;
my ($add) = $page =~ /^```sql\n(SET .*\nALTER OPERATOR FAMILY .*;)\n```$/m or die 'no ALTER OPERATOR FAMILY';

my $reserved = q{SELECT jsonb_path_query_array(sno_snapshot(), '$.planes[*].reserved'),
	(SELECT roname FROM pg_replication_origin WHERE roident = 62736)};
my $registry = 'TABLE sno_registry_partition ORDER BY partition';

chdir ${PostgreSQL::Test::Utils::tmp_check} or die;

# Where the commands find the extension
$ENV{PGDATABASE} = 'app';

# By which index of kinds.sql a row is found
my %questions = (
	node_pkey => "id >= sno_timestamp(FIRST) AND id < sno_timestamp(FIRST) + interval '1 s'",
	by_hash => 'sno_with_meta(id, 1) = sno_with_meta(FIRST, 1)',
	by_brin => 'sno_with_meta(id, 2) = sno_with_meta(FIRST, 2)',
	by_multi => 'sno_with_meta(id, 3) = sno_with_meta(FIRST, 3)',
	by_bloom => 'sno_with_meta(id, 4) = sno_with_meta(FIRST, 4)',
	by_gist => 'sno_with_meta(id, 5) <= sno_with_meta(FIRST, 5)',
	by_gin => 'ARRAY[id, parent] @> ARRAY[FIRST]');

# A sum over all rows of each table
sub contents
{
	my ($server) = @_;

	return $server->safe_psql('app', "SET timezone = 'UTC'; " . join(' UNION ALL ',
		map { "SELECT '$_', count(*), md5(string_agg(t::text, ',' ORDER BY t::text COLLATE \"C\")) FROM kinds.$_ AS t" }
		  qw(node split pages kept typed)) . ' ORDER BY 1');
}

# answers(SERVER): how many rows are found by each index
sub answers
{
	my ($server) = @_;
	my $first = $server->safe_psql('app', 'SELECT quote_literal(id) FROM kinds.node ORDER BY id OFFSET 970 LIMIT 1');

	return join ', ', map {
		my $query = $questions{$_} =~ s/FIRST/$first\::sno/gr;
		my ($rows, $plan) = split /\n/, $server->safe_psql('app', <<"EOF"), 2;
SET enable_seqscan = off; SET enable_indexonlyscan = off;
SELECT count(*) FROM kinds.node WHERE $query;
EXPLAIN SELECT FROM kinds.node WHERE $query;
EOF

		$plan =~ /\b$_/ or die "$_ is not used: $query\n$plan";
		"$_: $rows"
	} sort keys %questions;
}

# An old cluster that has made ids, and what is to be known of it later; past_s
# is when it made ids an hour ago, for some seconds
sub old_cluster
{
	my ($name, $settings) = @_;
	my $clock = new_clock($name);
	my $past = ids_file("${name}_past");
	my ($server, $past_s, @sessions);

	$clock->set(-3600);
	$server = new_server($name, cluster => { install_path => $old_installation },
		init => $init, settings => $settings, clock => $clock);
	query($server, 'CREATE DATABASE app');
	$server->safe_psql('app', $_) foreach
	  'CREATE EXTENSION sno; CREATE EXTENSION sno_registry; SELECT sno_registry_open()',
	  slurp_file("$ENV{TESTDIR}/test/t/kinds.sql"),
	  'INSERT INTO kinds.node SELECT FROM generate_series(1, 20000); REFRESH MATERIALIZED VIEW kinds.kept',
	  'VACUUM ANALYZE';
	$past_s = $clock->now_s;
	@sessions = start_endless($server, [ $past, "SELECT sno_generate_many(100);\n" x 200_000 ]);
	wait_until($server, "extract(epoch FROM clock_timestamp()) > $past_s + ${\PAST_S}");
	stop_load($server, @sessions);
	$clock->set(0);
	return {
		server => $server,
		past_s => $past_s,
		files => [ $past, load($server, $name) ],
		contents => contents($server),
		answers => answers($server),
		reserved => $server->safe_psql('app', $reserved),
		registry => $server->safe_psql('app', "DO 'BEGIN PERFORM sno_registry_acquire(''kept''); END'; $registry") };
}

# All that is in the tables
sub is_whole
{
	my ($old, $new) = @_;
	my $name = $new->name;

	is(contents($new), $old->{contents}, "$name: every id is there");
	is($new->safe_psql('app', $registry), $old->{registry}, "$name: so is the registry of partitions");
	is(answers($new), $old->{answers}, "$name: indexes find what they found");
	is($new->safe_psql('app', 'INSERT INTO kinds.node DEFAULT VALUES RETURNING sno_partition(id)'), 7,
		"$name: defaults make ids");
	$new->safe_psql('app', 'ANALYZE');
	return;
}

# has_temporal_keys(SERVER, LACKS): on 18 and later, keys without overlaps can be made;
# if the server lacks what they need, after an error, by the statement of the page
sub has_temporal_keys
{
	my ($new, $lacks) = @_;
	my $name = $new->name;
	my $key = 'CREATE TABLE price (id sno, valid tstzrange, PRIMARY KEY (id, valid WITHOUT OVERLAPS))';

	return if $new->pg_version < 18;
	if ($lacks)
	{
		is_error($new, 'app', $key, '42704', qr/equality operator for type sno\b.*sno_ops/s, "$name: no temporal key yet");
		is((error_of($new, 'app', $add))[0], '', "$name: $add");
	}
	is((error_of($new, 'app', $key))[0], '', "$name: a temporal key");
	return;
}

# Many ids of the old ones' time: none is made again, because ids go on in order
sub repeats_nothing
{
	my ($old, $new, $clock) = @_;
	my $name = $new->name . ', an hour behind';

	$clock->set_to($old->{past_s});
	is(goes_on($new, $name, @{ $old->{files} }), 'f', "$name: the first id is in the same plane");
	cmp_ok($clock->now_s, '<', $old->{past_s} + 3000, "$name: it still is");
	$new->stop;
	return;
}

my $settings = preload('sno.partition' => 7);
my $old = old_cluster('old', $settings);
my $dump = ids_file('app.sql');

command_ok([ 'pg_dump', '-C', '-d', $old->{server}->connstr('app'), '-f', $dump ], 'a dump is made');
$old->{server}->command_ok([ 'sh', '-c', $take ], 'old: a snapshot is taken');

# What PostgreSQL cannot restore is left out, as the page says
my $constraint = 'CONSTRAINT is_after CHECK ((VALUE, 0) > (sno_min(), 0))';
$old->{server}->safe_psql('app',
	"CREATE DOMAIN after AS sno $constraint; ALTER DOMAIN after DROP CONSTRAINT is_after");
$old->{server}->stop;

# By pg_upgrade, with the files of the old one.  The clock is some minutes before that at
# which the old one made ids an hour ago.
{
	my $clock = new_clock('linked');
	my $new = PostgreSQL::Test::Cluster->new('linked');

	$new->init(%$init);
	$new->append_conf('postgresql.conf', "include = 'test.conf'\nautovacuum = off\n");
	write_settings($new, $settings);
	command_ok(
		[ 'pg_upgrade', '--no-sync', '--link',
			'-b', "$old_installation/bin", '-B', $new_bindir, '-d', $old->{server}->data_dir,
			'-D', $new->data_dir, '-p', $old->{server}->port, '-P', $new->port, '-s', $new->host ],
		'linked: pg_upgrade takes the extension along');
	$clock->set_to($old->{past_s} - 600);
	$clock->run(sub { $new->start });
	is($new->safe_psql('app', $reserved), $old->{reserved}, 'linked: the reservations came along');
	$new->safe_psql('app', "ALTER DOMAIN after ADD $constraint");
	is_error($new, 'app', 'SELECT sno_min()::after', '23514',
		qr/is_after/, 'linked: a constraint was left out, and is there again');
	is_whole($old, $new);
	has_temporal_keys($new, $old->{server}->pg_version < 18);
	repeats_nothing($old, $new, $clock);
}

# By the dump, with the snapshot before the first id
{
	my $clock = new_clock('restored');
	my $new;

	$clock->set_to($old->{past_s} - 600);
	$new = new_server('restored', settings => $settings, clock => $clock);
	command_ok(
		[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $new->connstr('postgres'), '-f', $dump ],
		'restored: psql restores the dump');
	$new->command_ok([ 'sh', '-c', $give ], 'restored: the snapshot is restored');
	is_whole($old, $new);
	has_temporal_keys($new, 0);
	repeats_nothing($old, $new, $clock);
}

done_testing();

# pg_upgrade.pl
#	A cluster becomes a new one, by pg_upgrade or by a dump: its ids, indexes
#	and defaults are what they were, with the extension in a schema of its own, and
#	the new one makes none of the old ids, even if its clock is an hour behind:
#	after pg_upgrade as it is, after a dump with the commands of doc/administration.md.
#
# The old cluster is of the installation in the folder OLD_INSTALLATION (its bin
# is in there), by default of the one that is tested.
#
# The old one makes ids an hour ago, and now.  The new one's clock shows the time
# of those an hour ago, so that it would make them again.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use SnoLoad;
use SnoTables;
use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	ROWS => 20_000,
	PAST_S => 10,				# how long the old one makes ids an hour ago
};

chomp(my $new_bindir = qx{$ENV{PG_CONFIG} --bindir});
my $old_installation = $ENV{OLD_INSTALLATION} // $new_bindir =~ s{/bin$}{}r;

# Two clusters do not agree on checksums by default, from PostgreSQL 18 on
my $init = { extra => ['--data-checksums'] };

# What the documentation says to run, in the folder of the test
my $page = slurp_file("$FindBin::RealBin/../../doc/administration.md");
my ($take, $give) = $page =~ /^```sh\n(psql .*?)^```$/msg;
my ($add) = $page =~ /^```sql\n(SET .*\nALTER OPERATOR FAMILY .*;)\n```$/m or die 'no ALTER OPERATOR FAMILY';

my $reserved = q{SELECT jsonb_path_query_array(ext.sno_snapshot(), '$.planes[*].reserved')};
my $registry = 'TABLE sno_registry_partition ORDER BY partition';

chdir ${PostgreSQL::Test::Utils::tmp_check} or die;

# Where the commands find the extension
$ENV{PGDATABASE} = 'app';

# An old cluster that has made ids, and what is to be known of it later; past_s
# is when it made ids an hour ago, for some seconds
sub old_cluster
{
	my ($name, $settings) = @_;
	my $clock = new_clock($name);
	my $past = ids_file("${name}_past");
	my ($server, $past_s, @sessions);

	$clock->set(-3600);
	$server = new_server(
		$name,
		cluster => { install_path => $old_installation },
		init => $init,
		settings => $settings,
		clock => $clock);
	query($server, 'CREATE DATABASE app');
	$server->safe_psql('app', 'CREATE SCHEMA ext; CREATE EXTENSION sno SCHEMA ext; CREATE EXTENSION sno_registry SCHEMA ext; SELECT ext.sno_registry_open()');
	fill_tables($server, 'app', ROWS);
	$past_s = $clock->now_s;
	@sessions = start_endless($server, [ $past, "SELECT sno_generate_many(100);\n" x 200_000 ]);
	wait_until($server, "extract(epoch FROM clock_timestamp()) > $past_s + ${\PAST_S}");
	stop_load($server, @sessions);
	$clock->set(0);
	return {
		server => $server,
		past_s => $past_s,
		files => [ $past, load($server, $name) ],
		contents => contents($server, 'app'),
		reserved => $server->safe_psql('app', $reserved),
		statistics => statistics($server),
		registry => $server->safe_psql('app', "DO 'BEGIN PERFORM sno_registry_acquire(''kept''); END'; $registry"),
		partition => query($server, 'SELECT partition FROM sno_stat') };
}

# What ANALYZE saved
sub statistics
{
	my ($server) = @_;

	return $server->safe_psql('app', <<'EOF');
SELECT tablename, attname, null_frac, avg_width, n_distinct, md5(most_common_vals::text), md5(histogram_bounds::text), correlation
FROM pg_stats WHERE schemaname = 'app' AND tablename IN ('event', 'note') ORDER BY 1, 2
EOF
}

# upgraded(OLD, CLOCK, NAME, SETTINGS, [OPTION, ...]): what pg_upgrade makes of the
# old cluster, which is stopped; started an hour behind, some minutes before the
# old one made ids
sub upgraded
{
	my ($old, $clock, $name, $settings, @options) = @_;
	my $new = PostgreSQL::Test::Cluster->new($name);

	$new->init(%$init);
	$new->append_conf('postgresql.conf', "include = 'test.conf'\nautovacuum = off\n");
	write_settings($new, $settings);
	command_ok(
		[   'pg_upgrade', '--no-sync', @options,
			'-b', "$old_installation/bin", '-B', $new_bindir,
			'-d', $old->{server}->data_dir, '-D', $new->data_dir,
			'-p', $old->{server}->port, '-P', $new->port,
			'-s', $new->host ],
		"$name: pg_upgrade takes the extension along");
	$clock->set_to($old->{past_s} - 600);
	$clock->run(sub { $new->start });
	is(statistics($new), $old->{statistics}, "$name: and the statistics") if $new->pg_version >= 18;
	return $new;
}

# All that is in the tables
sub is_whole
{
	my ($old, $new) = @_;
	my $name = $new->name;

	is(contents($new, 'app'), $old->{contents}, "$name: every id is there");
	is($new->safe_psql('app', $registry), $old->{registry}, "$name: so is the registry of partitions");
	is(wrong_answers($new, 'app'), '', "$name: indexes are valid, and serve");
	is(corrupt_indexes($new, 'app'), '', "$name: amcheck finds nothing");
	is(wrong_defaults($new, 'app'), '', "$name: defaults make ids");
	$new->safe_psql('app', 'ANALYZE');
	return;
}

# has_temporal_keys(SERVER, LACKS): on 18 and later, keys without overlaps can be made;
# if the server lacks what they need, after an error, by the statement of the page
sub has_temporal_keys
{
	my ($new, $lacks) = @_;
	my $name = $new->name;
	my $key = 'CREATE TABLE app.price (id ext.sno, valid tstzrange, PRIMARY KEY (id, valid WITHOUT OVERLAPS))';

	return if $new->pg_version < 18;
	if ($lacks)
	{
		is_error($new, 'app', $key, '42704', qr/equality operator for type (ext\.)?sno\b.*sno_ops/s, "$name: no temporal key yet");
		is((error_of($new, 'app', $add))[0], '', "$name: $add");
	}
	is((error_of($new, 'app', $key))[0], '', "$name: a temporal key");
	is_error($new, 'app', q{INSERT INTO app.price VALUES ('9q7jqm682eks4222', '[2026-01-01,2026-02-01)'), ('9q7jqm682eks4222', '[2026-01-31,)')},
		'23P01', qr/price_pkey/, "$name: it allows no overlap");
	is((error_of($new, 'app', $add))[0], '42710', "$name: the statement is not needed again");
	return;
}

# Many ids of the old ones' time, made in this plane, by its tick-tock bit: none comes again
sub repeats_nothing
{
	my ($old, $new, $clock, $plane) = @_;
	my $name = $new->name . ', an hour behind';

	$clock->set_to($old->{past_s});
	is(goes_on($new, $name, @{ $old->{files} }), $plane, "$name: the first id is in the right plane");
	cmp_ok($clock->now_s, '<', $old->{past_s} + 3000, "$name: it still is");
	$new->stop;
	return;
}

# The same configured partition before and after
{
	my $settings = preload('sno.partition' => 7);
	my $old = old_cluster('configured', $settings);
	my $dump = ids_file('app.sql');

	command_ok([ 'pg_dump', '-C', '-d', $old->{server}->connstr('app'), '-f', $dump ],
		'a dump is made');
	$old->{server}->command_ok([ 'sh', '-c', $take ], 'old: a snapshot is taken');
	$old->{server}->stop;

	# By pg_upgrade, with the files of the old one
	{
		my $clock = new_clock('linked');
		my $new = upgraded($old, $clock, 'linked', $settings, '--link');

		is($new->safe_psql('app', $reserved), $old->{reserved}, 'linked: the reservations came along');
		is_whole($old, $new);
		has_temporal_keys($new, $old->{server}->pg_version < 18);
		repeats_nothing($old, $new, $clock, 't');
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
		repeats_nothing($old, $new, $clock, 't');
	}
	unlink @{ $old->{files} };
}

# The automatic partition: one new cluster in 65,536 has the old one's
{
	my $old = old_cluster('automatic', {});
	my $clock = new_clock('copied');
	my $new;

	$old->{server}->stop;
	$new = upgraded($old, $clock, 'copied', {});
	isnt(query($new, 'SELECT partition FROM sno_stat'), $old->{partition}, 'copied: it has another partition than the old one');
	is_whole($old, $new);
	repeats_nothing($old, $new, $clock, 't');
}

done_testing();

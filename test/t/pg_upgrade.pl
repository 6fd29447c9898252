# pg_upgrade.pl
#	A cluster becomes a new one, by pg_upgrade or by a dump: its ids, indexes
#	and defaults are what they were, and after the commands of the README the
#	new one makes none of the old ids, even if its clock is an hour behind.
#
# The old cluster is of the installation in the folder OLD_INSTALLATION (its bin
# is in there), by default of the one that is tested.
#
# The old one makes ids an hour ago, and now.  The new one's clock shows a time
# in between the ids of an hour ago, so that it would make them again.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoTables;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	ROWS => 200_000,
	NEW_ROWS => 20_000,
	IDS => 1_000_000,			# besides, at full speed
};

chomp(my $new_bindir = qx{$ENV{PG_CONFIG} --bindir});
my $old_installation = $ENV{OLD_INSTALLATION} // $new_bindir =~ s{/bin$}{}r;

# Two clusters do not agree on checksums by default, from PostgreSQL 18 on
my $init = { extra => ['--data-checksums'] };

# What the README says to run
my ($upgrading) = slurp_file("$FindBin::RealBin/../../README.md") =~ /^## Upgrading\n(.*?)^## /ms
  or die 'README.md says nothing about upgrading';
my ($take) = $upgrading =~ /^(psql .*?) +# the old server$/m or die 'no command for the old server';
my ($give) = $upgrading =~ /^(psql .*?) +# the new one$/m or die 'no command for the new server';
my ($create) = $upgrading =~ /^(SELECT sno_origin_create.*;)$/m or die 'no sno_origin_create()';
my ($update) = $upgrading =~ /^(ALTER EXTENSION .*;)$/m or die 'no ALTER EXTENSION';

chdir ${PostgreSQL::Test::Utils::tmp_check} or die;

sub run_as_written
{
	my ($server, $command) = @_;

	local $ENV{PGHOST} = $server->host;
	local $ENV{PGPORT} = $server->port;
	local $ENV{PGDATABASE} = 'postgres';
	return run_log([ 'sh', '-c', $command ]);
}

# copy_ids(SERVER, FILE, QUERY): into a file, which is returned
sub copy_ids
{
	my ($server, $file, $query) = @_;

	run_sessions(
		{   server => $server,
			database => 'app',
			output => ids_file($file),
			sql => "COPY ($query) TO STDOUT;\n" });
	return ids_file($file);
}

# make_ids(SERVER, FILE, [CLOCK, TIME]): with the metabyte of the table event,
# beginning at the time
sub make_ids
{
	my ($server, $name, $clock, $s) = @_;
	my $file = ids_file($name);
	my $session = $server->background_psql('app');

	$clock->set_to($s) if $clock;
	$session->query_safe("COPY (SELECT sno_generate_many(${\IDS}, 3)) TO '$file'");
	$session->quit;
	return $file;
}

# An old cluster that has made ids, and what is to be known of it later; past_s
# is a time in between the ids of an hour ago
sub old_cluster
{
	my ($name, $settings) = @_;
	my $clock = SnoClock->new($name);
	my %old;

	$clock->set(-3600);
	$old{server} = new_server(
		$name,
		cluster => { install_path => $old_installation },
		init => $init,
		settings => $settings,
		databases => [ 'postgres', 'app' ],
		clock => $clock);
	fill_tables($old{server}, 'app', ROWS);
	$old{past_s} = $old{server}->safe_psql('app', <<"EOF");
SELECT extract(epoch FROM sno_timestamp(id)) FROM event ORDER BY id LIMIT 1 OFFSET ${\ROWS} / 10
EOF
	$clock->set(0);
	$old{files} = [
		copy_ids($old{server}, "${name}_rows", 'SELECT id FROM event'),
		make_ids($old{server}, "${name}_ids") ];
	$old{contents} = contents($old{server}, 'app');
	$old{statistics} = statistics($old{server});
	$old{partition} = $old{server}->safe_psql('app', 'SELECT partition FROM sno_stat');
	return \%old;
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

# A cluster to be upgraded to, which was not started yet
sub new_cluster
{
	my ($name, $settings) = @_;
	my $server = PostgreSQL::Test::Cluster->new($name);

	$server->init(%$init);
	$server->append_conf('postgresql.conf', "include = 'test.conf'\nautovacuum = off\n");
	SnoTest::write_settings($server, $settings);
	return $server;
}

# Upgrades what is stopped, and starts it an hour behind, some minutes before
# the old one made ids
sub upgrade
{
	my ($old, $new, $clock, @options) = @_;

	command_ok(
		[   'pg_upgrade', '--no-sync', @options,
			'-b', "$old_installation/bin", '-B', $new_bindir,
			'-d', $old->{server}->data_dir, '-D', $new->data_dir,
			'-p', $old->{server}->port, '-P', $new->port,
			'-s', $new->host ],
		$new->name . ': pg_upgrade takes the extension along');
	$clock->set_to($old->{past_s} - 600);
	$clock->run(sub { $new->start });
	if ($new->pg_version >= 18)
	{
		is(statistics($new), $old->{statistics}, $new->name . ': and the statistics');
	}
	return;
}

# All that is in the tables
sub is_whole
{
	my ($old, $new) = @_;
	my $name = $new->name;

	is(contents($new, 'app'), $old->{contents}, "$name: every id is there");
	is(wrong_answers($new, 'app'), '', "$name: indexes are valid, and serve");
	is(corrupt_indexes($new, 'app'), '', "$name: amcheck finds nothing");
	is(wrong_defaults($new, 'app'), '', "$name: defaults make ids");
	$new->safe_psql('app', 'ANALYZE');
	is($new->safe_psql('app', <<'EOF'), 1, "$name: extended statistics are filled");
SELECT count(*) FROM pg_stats_ext_exprs WHERE statistics_name = 'event_hour' AND n_distinct IS NOT NULL
EOF
	is((error_of($new, 'app', $update))[0], '', "$name: $update");
	is($new->safe_psql('app', <<'EOF'), 't', "$name: the extension has the installed version");
SELECT installed_version = default_version FROM pg_available_extensions WHERE name = 'sno'
EOF
	return;
}

# Many ids of the old ones' time, made in this plane, by its tick-tock bit: none comes again
sub repeats_nothing
{
	my ($old, $new, $clock, $plane) = @_;
	my $name = $new->name;
	my ($id, $tick_tock, $s, @files);

	$clock->set_to($old->{past_s} - 30);
	($id, $tick_tock, $s) = first_id($new);
	is_quick($s, "$name, an hour behind: the first id comes");
	is($tick_tock, $plane, "$name, an hour behind: it is in the right plane");
	@files = (
		make_ids($new, "${name}_ids", $clock, $old->{past_s}),
		copy_ids($new, "${name}_rows",
			"INSERT INTO event (n) SELECT generate_series(1, ${\NEW_ROWS}) RETURNING id"));
	cmp_ok($clock->now_s, '<', $old->{past_s} + 3000, "$name: it still is an hour behind");
	is(id_count(@files), IDS + NEW_ROWS, "$name: every id arrives");
	is(duplicates(@{ $old->{files} }, @files), 0, "$name: no id of the old cluster comes again");
	unlink @files;
	return;
}

# The same configured partition before and after
{
	my $settings = preload('sno.partition' => 7);
	my $old = old_cluster('configured', $settings);
	my $dump = ids_file('app.sql');

	command_ok([ 'pg_dump', '-C', '-d', $old->{server}->connstr('app'), '-f', $dump ],
		'a dump is made');
	ok(run_as_written($old->{server}, $take), "old: $take");
	$old->{server}->stop;

	# By pg_upgrade, with the files of the old one
	{
		my $clock = SnoClock->new('linked');
		my $new = new_cluster('linked', $settings);

		upgrade($old, $new, $clock, '--link');
		is($new->safe_psql('postgres', q{SELECT sno_snapshot() #>> '{planes,0,reserved}'}),
			127, 'linked: the reservations did not come along');
		ok(run_as_written($new, $give), "linked: $give");
		is_whole($old, $new);
		repeats_nothing($old, $new, $clock, 't');
		$new->stop;
	}

	# By the dump.  Until the snapshot is restored, the old ids do come again.
	{
		my $clock = SnoClock->new('restored');
		my ($new, $file);

		$clock->set_to($old->{past_s} - 600);
		$new = new_server('restored', settings => $settings, clock => $clock);
		command_ok(
			[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $new->connstr('postgres'), '-f', $dump ],
			'restored: psql restores the dump');
		$file = make_ids($new, 'restored_early', $clock, $old->{past_s});
		cmp_ok(duplicates(@{ $old->{files} }, $file), '>', 0,
			'restored: without the snapshot, old ids come again');
		$clock->set_to($old->{past_s} - 600);
		ok(run_as_written($new, $give), "restored: $give");
		is_whole($old, $new);
		repeats_nothing($old, $new, $clock, 't');
		$new->stop;
	}
	unlink @{ $old->{files} };
}

# The automatic partition: there is nothing to carry over.  One new cluster in 65,536
# has the old one's.
{
	my $old = old_cluster('automatic', {});
	my $clock = SnoClock->new('copied');
	my $new = new_cluster('copied', {});

	$old->{server}->stop;
	upgrade($old, $new, $clock);
	is_error($new, 'app', 'SELECT sno_generate()', '55000', qr/HINT:  .*sno_origin_create\(\)/s,
		'copied: no id comes before the origin is created');
	is((error_of($new, 'app', $create))[0], '', "copied: $create");
	isnt($new->safe_psql('app', 'SELECT partition FROM sno_stat'),
		$old->{partition}, 'copied: it has another partition than the old one');
	is_whole($old, $new);
	repeats_nothing($old, $new, $clock, 'f');
	$new->stop;
}

done_testing();

# upgrade.pl
#	What pg_upgrade makes goes on without a repeated id after the two commands
#	of the README, even if its clock is behind.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Time::HiRes qw(time);
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# The same partition before and after, as an automatic one would differ
my $settings = preload('sno.partition' => 7);
my $old = new_server('old', settings => $settings);
my $clock = SnoClock->new('new');
my @files = (ids_file('ids_before'), ids_file('ids_after'));
my $snapshot_file = ids_file('sno_snapshot.json');
my ($new, $start, $bindir, $snapshot);

# A command as the README has it, for the server
sub run_as_written
{
	my ($server, $command) = @_;

	local $ENV{PGHOST} = $server->host;
	local $ENV{PGPORT} = $server->port;
	local $ENV{PGDATABASE} = 'postgres';
	return run_log([ 'sh', '-c', $command =~ s/sno_snapshot\.json/$snapshot_file/r ]);
}

$start = time;
$old->safe_psql('postgres', 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate(), n int)');
$old->safe_psql('postgres', 'INSERT INTO event (n) SELECT generate_series(1, 1000)');
run_sessions(
	{   server => $old,
		database => 'postgres',
		output => $files[0],
		sql => "COPY event (id) TO STDOUT;\nCOPY (SELECT sno_generate_many(4000000)) TO STDOUT;\n" });
ok( run_as_written($old, q{psql -XAtq -c "SELECT sno_snapshot()" >sno_snapshot.json}),
	'a snapshot is taken');
$old->stop;

# The new cluster, and sno in it
$new = PostgreSQL::Test::Cluster->new('new');
$new->init;
append_to_file($new->data_dir . '/postgresql.conf', "include = 'test.conf'\n");
SnoTest::write_settings($new, $settings);
chomp($bindir = qx{$ENV{PG_CONFIG} --bindir});
chdir ${PostgreSQL::Test::Utils::tmp_check} or die;
command_ok(
	[   'pg_upgrade', '--no-sync',
		'-b', $bindir, '-B', $bindir,
		'-d', $old->data_dir, '-D', $new->data_dir,
		'-p', $old->port, '-P', $new->port,
		'-s', $new->host ],
	'pg_upgrade takes the extension along');

# Its clock shows the time at which the old server began
$clock->set($start - time);
$clock->run(sub { $new->start });
$snapshot = $new->safe_psql('postgres', q{SELECT sno_snapshot() #>> '{planes,0,reserved}'});
is($snapshot, 127, 'the reservations did not come along');
ok( run_as_written($new, q{psql -Xq -c "SELECT sno_restore('$(cat sno_snapshot.json)')"}),
	'the snapshot is restored');
is( $new->safe_psql('postgres', q{SELECT sno_snapshot() #> '{planes,0,reserved}'}),
	$new->safe_psql('postgres', "SELECT pg_read_file('$snapshot_file')::jsonb #> '{planes,0,reserved}'"),
	'and is known');

run_sessions(
	{   server => $new,
		database => 'postgres',
		output => $files[1],
		sql => "COPY (SELECT sno_generate_many(4000000)) TO STDOUT;\n" });
is(id_count(@files), 8_001_000, 'every id arrives');
is(duplicates(@files), 0, 'no id of the old cluster comes again');
is( $new->safe_psql('postgres', 'INSERT INTO event (n) SELECT generate_series(1, 1000); SELECT count(*) FROM event'),
	2000, 'its tables go on');

done_testing();

# origins.pl
#	Without room for the durable record, which takes a slot for a replication
#	origin, no ids are made, and a standby stops; both go on once there is room.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;
use Time::HiRes qw(usleep);

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

my @calls = ('sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)');
my $server = new_server('server');
my $setting = $server->pg_version < 18 ? 'max_replication_slots' : 'max_active_replication_origins';

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

sub is_refused
{
	my ($why) = @_;

	foreach my $call (@calls)
	{
		is_error($server, 'postgres', "SELECT $call", '53400',
			qr/no slot is free for the replication origin of sno.*HINT:  .*"$setting"/s,
			"$why: $call is refused, and the setting named");
	}
	is(query('SELECT slots_claimed, reservations FROM sno_stat'), '0|0', "$why: nothing is claimed");
	return;
}

# A server by itself
configure($server, { $setting => 0 });
is_refused('no slots');
configure($server, { $setting => 1 });
query("SELECT pg_replication_origin_create('other'); SELECT pg_replication_origin_advance('other', '0/1')");
is_refused('all slots in use');
configure($server, { $setting => 2 });
is((error_of($server, 'postgres', "SELECT $_"))[0], '', "with one more slot $_ works") foreach @calls;
$server->stop;

# A standby without room, made before the first id
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	my $attempts = 10 * $PostgreSQL::Test::Utils::timeout_default;
	my $newest;

	$server = new_server('primary', init => { allows_streaming => 1 });
	query('CREATE TABLE made (id sno DEFAULT sno_generate(), n int)');
	$server->backup('base');
	$standby->init_from_backup($server, 'base', has_streaming => 1);
	$standby->append_conf('postgresql.conf', "$setting = 0");
	$standby->start;
	$server->wait_for_catchup($standby);
	pass('a standby without slots works as long as there are no ids');

	query('INSERT INTO made (n) SELECT generate_series(1, 1000)');
	while (-e $standby->data_dir . '/postmaster.pid')
	{
		die 'the standby goes on' if $attempts-- == 0;
		usleep(100_000);
	}
	like(slurp_file($standby->logfile), qr/could not find free replication state/,
		'it stops at the first reservation');
	$standby->stop('fast', fail_ok => 1);

	$standby->append_conf('postgresql.conf', "$setting = 1");
	$standby->start;
	$server->wait_for_catchup($standby);
	$newest = query('SELECT max(id) FROM made');
	is($standby->safe_psql('postgres', 'SELECT count(*), max(id) FROM made'), "1000|$newest",
		'with a slot it goes on');
	is_reserved($standby, 'and has the reservation of the ids', $newest);
}

done_testing();

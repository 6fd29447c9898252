# origins.pl
#	The replication origin that reservations are kept in: CREATE EXTENSION takes a slot for
#	it, or fails; a standby without one stops then; pg_upgrade takes its progress along; and
#	once it is lost, no id is generated until a superuser has acted.
use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(usleep);

use SnoTest;
use SnoTrouble;

my @ordinary = (extra_params => [ '-U', 'ordinary' ]);
my @calls = ('sno_generate()', 'sno_generate_many(2)', 'sno_generate_array(2)');
my $server = new_server('server', databases => []);
my $setting = $server->pg_version < 18 ? 'max_replication_slots' : 'max_active_replication_origins';
my $no_slot = qr/replication (origin|state slot).*HINT:  .*$setting/s;
my $in_use = 'SELECT count(*) FROM pg_show_replication_origin_status() WHERE local_id = 62736';

# While the server runs as pg_upgrade runs it
sub in_pg_upgrade
{
	my ($code) = @_;
	my @pg_ctl = ('pg_ctl', '-w', '-D', $server->data_dir);

	$server->stop;
	system_or_bail(@pg_ctl, '-l', $server->logfile, '-o', '-b', 'start');
	$code->();
	system_or_bail(@pg_ctl, 'stop');
	$server->start;
	return;
}

# The server loses all origins, ours for good, while it is stopped
sub lose_origins
{
	$server->stop;
	unlink $server->data_dir . '/pg_logical/replorigin_checkpoint' or die "no origins are saved: $!";
	$server->start;
	query($server, "SELECT pg_replication_origin_advance('other', '0/1')");
	return;
}

# CREATE EXTENSION
query($server, 'CREATE ROLE ordinary LOGIN');
configure($server, { $setting => 1 });
query($server, "SELECT pg_replication_origin_create('other'); SELECT pg_replication_origin_advance('other', '0/1')");
is_error($server, 'postgres', 'CREATE EXTENSION sno', '53400', $no_slot, 'with all slots in use there is no extension');
configure($server, { $setting => 2 });
query($server, 'BEGIN; CREATE EXTENSION sno; ROLLBACK');
query($server, 'CREATE EXTENSION sno; DROP EXTENSION sno; CREATE EXTENSION sno; SELECT sno_generate()');
is(query($server, $in_use), '1', 'with one more slot there is an extension; the next one finds that slot');
# As if one who may create subscriptions had created so many
is(query($server, <<'EOF'), 62737, 'no other origin gets its id');
SET allow_system_table_mods = on;
INSERT INTO pg_replication_origin SELECT id, id FROM generate_series(1, 62735) AS id WHERE id <> 1;
SELECT pg_replication_origin_create('next');
DELETE FROM pg_replication_origin WHERE roname <> ALL ('{other, sno}');
EOF
configure($server, { $setting => 0 });
is_error($server, 'postgres', "SELECT $_", '53400', $no_slot, "without slots $_ says so")
  foreach @calls, qw(sno_snapshot() sno_reset());
configure($server, { $setting => 2 });

# In servers that pg_upgrade starts, the default of a domain is the record
{
	my $reserved = q{SELECT jsonb_path_query_array(sno_snapshot(), '$.planes[*].reserved')};
	my $default = "SELECT pg_get_expr(typdefaultbin, 0) FROM pg_type WHERE typname = 'sno_reservation_carried'";
	my $nothing = "'0'::sno_reservation";
	# As pg_upgrade restores the domain, but without the ids that it gives to new types
	my $create = sub {
		my ($default, @refused) = @_;

		is_error($server, 'postgres', <<"EOF", @refused, 'the domain is created');
BEGIN;
ALTER EXTENSION sno DROP DOMAIN pg_catalog.sno_reservation_carried;
DROP DOMAIN pg_catalog.sno_reservation_carried;
CREATE DOMAIN pg_catalog.sno_reservation_carried AS pg_catalog.sno_reservation DEFAULT $default;
EOF
	};
	my ($before, $record, $number);

	query($server, 'CREATE SCHEMA home; SELECT sno_generate()');
	$before = query($server, $reserved);
	is(query($server, $default), $nothing, 'an ordinary server does not show the record');
	in_pg_upgrade(
		sub {
			$record = query($server, $default);
			($number) = $record =~ /^'(\d+)'/;
			is_error($server, 'postgres', "SELECT $_", '55000', qr/cannot generate a sno while pg_upgrade runs/,
				"a server of pg_upgrade's: no $_") foreach @calls;
		});
	is_error($server, 'postgres', "SELECT $record", '22P02',
		qr/invalid input syntax/, 'an ordinary server takes no record over');
	lose_origins();
	in_pg_upgrade(
		sub {
			is(query($server, $default), $nothing, 'nothing is carried of an origin that was lost');
			is_error($server, 'postgres', "SELECT '$_'::sno_reservation", '22P02', qr/invalid input syntax/, "'$_' is no record")
			  foreach '', '-1', '1 ', '18446744073709551616';
			# What others make the server read, and what looks like the domain
			query($server, $_) foreach "SET ROLE pg_monitor; SELECT $record", "SELECT $record",
			  "CREATE AGGREGATE trap(sno_reservation) (SFUNC = array_append, STYPE = sno_reservation[], "
			    . "INITCOND = '{$number}'); DROP AGGREGATE trap(sno_reservation)";
			is_error($server, 'postgres', "CREATE DOMAIN $_ AS sno_reservation DEFAULT $record",
				'22023', qr/OID value not set/, "$_ is a domain like another")
			  foreach qw(home.sno_reservation_carried pg_catalog.sno_reservation_other);
			is(query($server, $default), $nothing, 'nothing is taken over where the domain is not created');
			$create->($record, '22023', qr/OID value not set/);
			is(query($server, $default), $record, 'where the domain is created, the record is taken over');
		});
	is(query($server, $reserved), $before, 'a record is taken over, for good');
	is((error_of($server, 'postgres', 'SELECT sno_generate()', @ordinary))[0], '', 'after that, every role generates');
	configure($server, { $setting => 0 });
	in_pg_upgrade(
		sub {
			is_error($server, 'postgres', $default, '53400', $no_slot, "without slots pg_upgrade fails: $default");
			$create->($record, '53400', $no_slot);
		});
	configure($server, { $setting => 2 });
}

# Without an origin
lose_origins();
is_error($server, 'postgres', "SELECT $_", '55000',
	qr/sno has no replication origin in this cluster.*HINT:  .*partition.*sno_origin_create\(\).*sno_restore\(\)/s,
	"without an origin $_ says what to do", @ordinary) foreach @calls;
is(query($server, 'SELECT slots_claimed, reservations FROM sno_stat()'), '0|0',
	'without an origin nothing is claimed or reserved');
query($server, 'SELECT sno_origin_create()');
is((error_of($server, 'postgres', 'SELECT sno_generate()'))[0], '', 'with an origin ids go on');
lose_origins();
is_error($server, 'postgres', 'SELECT sno_snapshot()', '55000', qr/sno has no replication origin/,
	'without an origin there is no snapshot');
query($server, q(SELECT sno_restore('{"format": 1, "planes": [{"reserved": 0}, {"reserved": 0}]}')));
is((error_of($server, 'postgres', 'SELECT sno_generate()'))[0], '', 'what is restored is an origin');
$server->stop;

# A standby without room
{
	my $standby = PostgreSQL::Test::Cluster->new('standby');
	my $attempts = 10 * $PostgreSQL::Test::Utils::timeout_default;
	my ($is_enough) = slurp_file("$ENV{TESTDIR}/doc/administration.md") =~
	  /`(SET search_path = pg_catalog; SELECT current_setting\('max_replication_slots'\).*?)`/;
	my ($newest, $warning);

	$is_enough =~ s/max_replication_slots/$setting/;
	$server = new_server('primary', init => { allows_streaming => 1 },
		settings => { listen_addresses => '127.0.0.1' }, databases => []);
	$server->backup('base');
	$standby->init_from_backup($server, 'base', has_streaming => 1);
	$standby->append_conf('postgresql.conf',
		"primary_conninfo = 'host=127.0.0.1 port=${\$server->port} application_name=remote'");
	$standby->append_conf('postgresql.conf', "$setting = 0");
	$standby->start;
	$server->wait_for_catchup('remote');
	is(query($standby, $is_enough), 'f', 'the page has a query that tells');

	$warning = ($server->psql('postgres', 'CREATE EXTENSION sno'))[2];
	like($warning,
		qr/WARNING:  connected standbys need a free slot.*: "remote" \(127\.0\.0\.1\)\.\nHINT:  On each standby, "$setting"/s,
		'CREATE EXTENSION names the standby');
	like($warning, qr/\Q$is_enough\E/, 'CREATE EXTENSION shows the query of the page');
	while (-e $standby->data_dir . '/postmaster.pid')
	{
		die 'the standby goes on' if $attempts-- == 0;
		usleep(100_000);
	}
	like(slurp_file($standby->logfile), qr/could not find free replication state/,
		'a standby without a slot stops at CREATE EXTENSION');
	$standby->stop('fast', fail_ok => 1);

	$standby->append_conf('postgresql.conf', "$setting = 1");
	$standby->start;
	$newest = query($server, 'SELECT sno_generate()');
	$server->wait_for_catchup('remote');
	is(query($standby, $is_enough), 't', 'the query tells that, too, though the slot is taken now');
	is_reserved($standby, 'with a slot, the standby has the reservation of the ids', $newest);
	is(($server->psql('template1', 'CREATE EXTENSION sno'))[2], '', 'another database takes no slot: no warning');
	is_error($standby, 'postgres', 'SELECT sno_origin_create()', '25006', qr/recovery/, 'a standby creates no origin');
}

done_testing();

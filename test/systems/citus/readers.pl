# Readers of new rows beside Citus's own two-phase commits.  Each worker's reader gets every
# row whose id that worker made, once, although workers are killed between PREPARE and
# COMMIT PREPARED.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

use constant KILLED => 4;

my ($coordinator, @workers) = new_cluster('citus.recover_2pc_interval' => '1s');

number_nodes($coordinator, @workers);
query($coordinator, <<'EOF');
CREATE TABLE tenants (tenant int PRIMARY KEY);
CREATE TABLE event (id sno DEFAULT sno_generate(3), tenant int, PRIMARY KEY (tenant, id));
SELECT create_distributed_table('tenants', 'tenant'), create_distributed_table('event', 'tenant');
INSERT INTO tenants SELECT generate_series(1, 20);
EOF

# The recipe of doc/reading-new-rows.md, for the ids that the node itself makes
my $read = <<'EOF';
BEGIN;
UPDATE reader SET upto = sno_resolved(upto);
SELECT reader.*, partition FROM reader, sno_stat() \gset
INSERT INTO got SELECT id FROM event WHERE id > :'since' AND id <= :'upto' AND sno_partition(id) = :partition;
UPDATE reader SET since = upto;
COMMIT;
EOF
foreach my $node (@workers)
{
	query($node, <<'EOF');
SET citus.enable_ddl_propagation = off;
CREATE TABLE got (id sno PRIMARY KEY);
CREATE TABLE reader (since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min());
INSERT INTO reader DEFAULT VALUES;
EOF
}

# Transactions of several nodes wait between PREPARE and COMMIT PREPARED, if the
# coordinator's commit waits for a standby that it does not have
sub set_standby
{
	query($coordinator, "ALTER SYSTEM SET synchronous_standby_names = '$_[0]'");
	$coordinator->reload;
	return;
}

# Where the rows come from other rows, the workers make the ids
my $stop = ids_file('stop');
my @made = map { ids_file("made_$_") } 1 .. 3;
my @clients = (
	start_clients($stop, 'INSERT INTO event (tenant) SELECT tenant FROM tenants', map { [ $coordinator, $_ ] } @made),
	start_clients($stop, $read, map { [ $_, ids_file('read_' . $_->name) ] } @workers));

foreach my $i (1 .. KILLED)
{
	my $node = $workers[ $i % 2 ];
	my $before = query($node, 'SELECT count(*) FROM got');

	wait_until($node, "count(*) > $before + 100 FROM got");
	set_standby('none');
	wait_until($coordinator, q(count(*) > 0 FROM pg_stat_activity
		WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'));
	$node->stop('immediate');
	$node->start;
	is(query($node, 'SELECT count(gid) > 0 FROM sno_unresolved()'), 't',
		$node->name . ' knows after its restart what was prepared with ids');
	set_standby('');
}
append_to_file($stop, '');
$_->finish foreach @clients;
foreach my $node (@workers)
{
	wait_until($node, 'count(*) = 0 FROM pg_prepared_xacts');
}
cmp_ok(query($coordinator, 'SELECT count(*) FROM event'), '>=', acknowledged(@made), 'what was acknowledged is there');
foreach my $node (@workers)
{
	my $name = $node->name;
	my $last = query($node, 'SELECT max(id) FROM event, sno_stat() WHERE sno_partition(id) = partition');

	wait_until($node, "sno_resolved() >= '$last'");
	is((error_of($node, 'postgres', $read))[0], '', "$name: its reader gets what was held back");
	is( query($node, 'SELECT count(*) FROM event, sno_stat() WHERE sno_partition(id) = partition'),
		query($node, 'SELECT count(*) FROM got JOIN event USING (id)'),
		"$name: its reader got every row whose id it made");
	unlike(slurp_file(ids_file("read_$name") . '.errors'), qr/duplicate key/, "$name: and none twice");
	note("$name: " . query($node, 'SELECT count(*) FROM got') . ' rows');
}

done_testing();

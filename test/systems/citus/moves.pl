# The statements of doc/citus.md give each node a number of its own, also one that is added
# later, and show the nodes that have the same.  Shards are moved and split, a tenant is
# isolated, and a node comes and goes, all while rows are inserted through all nodes: each
# row that a client knows to be there is there, once, and with an id of its own.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

# As if all were copies of one server
my @nodes = new_cluster('sno.partition' => 7);
my ($coordinator) = @nodes;
my $folder = PostgreSQL::Test::Utils::tempdir();
my $stop = "$folder/stop";

# shows(NAME, LINE...): the query of the page, for each node: the partition, and the nodes
# that have the same
sub shows
{
	my ($name, @expected) = @_;
	my $shown = query($coordinator, page_sql('A number for each node', 2));

	foreach my $node (@nodes)
	{
		$shown =~ s/127\.0\.0\.1[|:]${\$node->port}/$node->name/ge;
	}
	return is_deeply([ map { s/\|1\|configured\|/: /r } split /\n/, $shown ], \@expected, $name);
}

shows('the query shows nodes that have the same partition', '0|coordinator|7: worker1, worker2',
	'1|worker1|7: coordinator, worker2', '2|worker2|7: coordinator, worker1');
number_nodes($coordinator, @nodes);
shows('and that they have their own after the statements of the page',
	'0|coordinator|0: ', '1|worker1|16: ', '2|worker2|32: ');
$coordinator->safe_psql('postgres', <<'EOF');
CREATE TABLE by_id (id sno PRIMARY KEY DEFAULT sno_generate(3), n int);
SELECT create_distributed_table('by_id', 'id');
CREATE TABLE by_tenant (id sno DEFAULT sno_generate(3), tenant int, PRIMARY KEY (tenant, id));
SELECT create_distributed_table('by_tenant', 'tenant');
INSERT INTO by_id (n) SELECT generate_series(1, 20000);
INSERT INTO by_tenant (tenant) SELECT i % 50 FROM generate_series(1, 20000) i;
EOF

my @files = map { "$folder/rows.$_" } 0 .. 2;
my @clients = start_clients($stop, <<'EOF', map { [ $nodes[$_], $files[$_] ] } 0 .. 2);
INSERT INTO by_id (n) VALUES (1);
INSERT INTO by_tenant (tenant) VALUES (1), (5), (7);
INSERT INTO by_id (n) SELECT generate_series(1, 10);
INSERT INTO by_tenant (tenant) SELECT generate_series(1, 10);
INSERT INTO by_id (n) SELECT tenant FROM by_tenant WHERE tenant = 7 LIMIT 5;
EOF

# step(NAME, SQL): is done while rows come in
sub step
{
	my ($name, $sql) = @_;
	my $before = acknowledged(@files);
	my ($code, $output, $errors) = $coordinator->psql('postgres', $sql, timeout => 170);
	my $after = acknowledged(@files);

	ok($code == 0 && $after > $before, $name) || diag($errors);
	note($after - $before . ' rows came in meanwhile');
	return;
}

my $logical = "shard_transfer_mode => 'force_logical'";

# A shard of the table, and the node it is on, as variables of psql
sub shard_of
{
	return <<"EOF";
SELECT shardid, nodename AS host, nodeport AS port, shardminvalue::int AS lowest, shardmaxvalue::int AS highest, nodeid
FROM citus_shards JOIN pg_dist_node USING (nodename, nodeport) JOIN pg_dist_shard USING (shardid)
WHERE table_name = '$_[0]'::regclass ORDER BY shardid LIMIT 1 \\gset
EOF
}

foreach my $table (qw(by_id by_tenant))
{
	step("a shard of $table is moved", <<"EOF");
${\shard_of($table)}
SELECT nodename AS other_host, nodeport AS other_port FROM pg_dist_node
	WHERE shouldhaveshards AND nodeid <> :nodeid LIMIT 1 \\gset
SELECT citus_move_shard_placement(:shardid, :'host', :port, :'other_host', :other_port, $logical);
EOF
}
step('a shard of by_id is split', <<"EOF");
${\shard_of('by_id')}
SELECT citus_split_shard_by_split_points(:shardid, ARRAY[((:lowest::bigint + :highest) / 2)::text],
	ARRAY[:nodeid, :nodeid], 'force_logical');
EOF
step('a tenant is isolated', "SELECT isolate_tenant_to_new_shard('by_tenant', 5, $logical)");
push @nodes, new_node('worker3', nodes_settings('sno.partition' => 16));
step('a node is added', "SELECT citus_add_node('127.0.0.1', ${\$nodes[3]->port})");
shows('a node that is added can have that of another',
	'0|coordinator|0: ', '1|worker1|16: worker3', '2|worker2|32: ', '3|worker3|16: worker1');
number_nodes($coordinator, $nodes[3]);
shows('and gets its own, without a restart of the others',
	'0|coordinator|0: ', '1|worker1|16: ', '2|worker2|32: ', '3|worker3|48: ');
step('and shards are moved to it', "SELECT rebalance_table_shards($logical)");
step('it is drained', "SELECT citus_drain_node('127.0.0.1', ${\$nodes[3]->port}, 'force_logical')");
step('and removed', "SELECT citus_remove_node('127.0.0.1', ${\$nodes[3]->port})");

append_to_file($stop, '');
$_->finish foreach @clients;
my $inserted = 40_000 + acknowledged(@files);
$coordinator->safe_psql('postgres', <<"EOF");
COPY (SELECT id FROM by_id UNION ALL SELECT id FROM by_tenant) TO '$folder/ids';
EOF
is(id_count("$folder/ids"), $inserted, 'all rows are there');
is(duplicates("$folder/ids"), 0, 'each has an id of its own');
# What Citus says to a statement that was planned before a split
my @errors = grep { !/ERROR:  could not find valid entry for shard \d+$/ }
  map { split /\n/, slurp_file("$_.errors") } @files;
is("@errors", '', 'no insert failed, except into shards that were split meanwhile');

done_testing();

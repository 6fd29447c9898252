# The statements of doc/citus.md give each node a number of its own, also one that
# is added later, and show the nodes that have the same.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

# As if all were copies of one server
my @nodes = new_cluster('sno.partition' => 7);
my ($coordinator) = @nodes;

# What the query of the page shows: for each node the partition, and the workers
# that have the same
sub shown
{
	my $shown = $coordinator->safe_psql('postgres', page_sql('A number for each node', 2));

	foreach my $node (@nodes)
	{
		$shown =~ s/127\.0\.0\.1[|:]${\$node->port}/$node->name/ge;
	}
	return $shown;
}

is(shown(), <<"EOF" =~ s/\n\z//r, 'the query shows nodes that have the same partition');
0|coordinator|7|1|configured|worker1, worker2
1|worker1|7|1|configured|coordinator, worker2
2|worker2|7|1|configured|coordinator, worker1
EOF

number_nodes($coordinator, @nodes);
is(shown(), <<"EOF" =~ s/\n\z//r, 'and that they have their own after the statements of the page');
0|coordinator|0|1|configured|
1|worker1|16|1|configured|
2|worker2|32|1|configured|
EOF

push @nodes, new_node('worker3', nodes_settings('sno.partition' => 16));
$coordinator->safe_psql('postgres', "SELECT citus_add_node('127.0.0.1', ${\$nodes[3]->port})");
is(shown(), <<"EOF" =~ s/\n\z//r, 'a node that is added can have that of another');
0|coordinator|0|1|configured|
1|worker1|16|1|configured|worker3
2|worker2|32|1|configured|
3|worker3|16|1|configured|worker1
EOF

number_nodes($coordinator, $nodes[3]);
is(shown(), <<"EOF" =~ s/\n\z//r, 'and gets its own, without a restart of the others');
0|coordinator|0|1|configured|
1|worker1|16|1|configured|
2|worker2|32|1|configured|
3|worker3|48|1|configured|
EOF

# Ranges that overlap are the same, unless those of the sequences do not
$nodes[1]->append_conf('postgresql.auto.conf', "sno.partition_count = 17\nsno.sequence_max = 9999\n");
$nodes[1]->restart;
like(shown(), qr/^1\|worker1\|16\|17\|configured\|worker2$/m, 'ranges that overlap are shown');
$nodes[2]->append_conf('postgresql.auto.conf', "sno.sequence_min = 10000\n");
$nodes[2]->restart;
like(shown(), qr/^1\|worker1\|16\|17\|configured\|$/m, 'unless their sequences do not');
# Citus sends this to every node: all are up
query($coordinator, 'CREATE SCHEMA registry; CREATE EXTENSION sno_registry SCHEMA registry; SELECT registry.sno_registry_open()');
$nodes[2]->stop;
is_error($coordinator, 'postgres', 'CREATE EXTENSION pg_trgm', '08006', qr/connection to the remote node/, 'while a node is down, Citus creates no extension');
like(shown(), qr/^2\|worker2\|\|\|\|$/m, 'a node that is down is shown without one');

# The script of sql/registry/README.md, with the coordinator as the registry
{
	my ($script) = slurp_file('sql/registry/README.md') =~ /^(#!\/bin\/sh\n# sno-partition .*?)^```/ms or die 'no script';
	my $program = ids_file('sno-partition');

	set_file($program, $script);
	foreach my $node (@nodes[ 1 .. 3 ])
	{
		my $file = ids_file($node->name . '.conf');

		$node->stop if $node->name ne 'worker2';
		unlink $node->data_dir . '/postgresql.auto.conf';
		$node->append_conf('postgresql.conf', "include = '$file'\n");
		system_or_bail("SNO_REGISTRY='${\$coordinator->connstr('postgres')}' sh $program ${\$node->name} $file");
		$node->start;
	}
	is(shown(), query($coordinator, <<'EOF'), 'by the registry, too, each node has its own');
SELECT n, coalesce(owner, 'coordinator'), coalesce(partition, 0), 1, 'configured', ''
FROM unnest('{NULL,worker1,worker2,worker3}'::text[]) WITH ORDINALITY AS w (name, position)
LEFT JOIN registry.sno_registry ON owner = name, LATERAL (SELECT position - 1) AS p (n) ORDER BY n
EOF
}

done_testing();

# The statements of doc/citus.md give each node a number of its own, also one that
# is added later, and show the nodes that have the same.

use strict;
use warnings FATAL => 'all';

use Test::More;

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
$nodes[2]->stop;
like(shown(), qr/^2\|worker2\|\|\|\|$/m, 'a node that is down is shown without one');

done_testing();

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

# What the query of the page shows: for each node the partition, and the nodes that
# have the same
sub shown
{
	my $shown = query($coordinator, page_sql('A number for each node', 2));

	foreach my $node (@nodes)
	{
		$shown =~ s/127\.0\.0\.1[|:]${\$node->port}/$node->name/ge;
	}
	return [ split /\n/, $shown ];
}

is_deeply(shown(), [
	'0|coordinator|7|1|configured|worker1, worker2',
	'1|worker1|7|1|configured|coordinator, worker2',
	'2|worker2|7|1|configured|coordinator, worker1' ], 'the query shows nodes that have the same partition');
number_nodes($coordinator, @nodes);
is_deeply(shown(), [
	'0|coordinator|0|1|configured|',
	'1|worker1|16|1|configured|',
	'2|worker2|32|1|configured|' ], 'and that they have their own after the statements of the page');

push @nodes, new_node('worker3', nodes_settings('sno.partition' => 16));
query($coordinator, "SELECT citus_add_node('127.0.0.1', ${\$nodes[3]->port})");
is_deeply([ @{ shown() }[ 1, 3 ] ], [ '1|worker1|16|1|configured|worker3', '3|worker3|16|1|configured|worker1' ],
	'a node that is added can have that of another');
number_nodes($coordinator, $nodes[3]);
is_deeply([ @{ shown() }[ 1, 3 ] ], [ '1|worker1|16|1|configured|', '3|worker3|48|1|configured|' ],
	'and gets its own, without a restart of the others');

done_testing();

# SnoCitus.pm
#	What the tests on Citus share: a coordinator and its workers, which are
#	servers of this machine.
package SnoCitus;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use IPC::Run;
use List::Util qw(sum0);

use PostgreSQL::Test::Utils;
use SnoTest;

our @EXPORT = qw(new_cluster new_node nodes_settings page_sql number_nodes start_clients acknowledged);

# nodes_settings(SETTING => VALUE, ...): those of every node, and these.  Clients
# and nodes connect in the clear, on the loopback device.
sub nodes_settings
{
	return {
		shared_preload_libraries => 'citus, sno',
		listen_addresses => '127.0.0.1',
		wal_level => 'logical',
		max_connections => 200,
		max_wal_senders => 20,
		max_replication_slots => 20,
		max_worker_processes => 40,
		'citus.node_conninfo' => 'sslmode=prefer',
		'citus.shard_count' => 8,
		'citus.enable_statistics_collection' => 'off',
		output_plugins(),
		@_
	};
}

# Where there is this list, a library has to be in it to decode WAL, as that of Citus
# does to split shards
sub output_plugins
{
	my $known = `postgres --describe-config` =~ /^output_plugin_libraries\t/m;

	return $known ? (output_plugin_libraries => 'pgoutput, test_decoding, citus') : ();
}

# new_node(NAME, SETTINGS): a server that is not in the cluster yet
sub new_node
{
	my ($name, $settings) = @_;
	my $node = new_server($name, settings => $settings, databases => []);

	$node->safe_psql('postgres', 'CREATE EXTENSION citus');
	return $node;
}

# new_cluster(SETTING => VALUE, ...): a coordinator, which creates the extension
# on all nodes, and two workers
sub new_cluster
{
	my $settings = nodes_settings(@_);
	my ($coordinator, @workers) = map { new_node($_, $settings) } qw(coordinator worker1 worker2);

	$coordinator->safe_psql('postgres', "SELECT citus_set_coordinator_host('127.0.0.1', ${\$coordinator->port})");
	$coordinator->safe_psql('postgres', "SELECT citus_add_node('127.0.0.1', ${\$_->port})") foreach @workers;
	$coordinator->safe_psql('postgres', 'CREATE EXTENSION sno');
	return ($coordinator, @workers);
}

# page_sql(HEADING, N): the Nth block of SQL below that heading of doc/citus.md
sub page_sql
{
	my ($heading, $n) = @_;
	my ($section) = slurp_file('doc/citus.md') =~ /^## \Q$heading\E\n(.*?)(?:^## |\z)/ms
	  or die "doc/citus.md has no heading '$heading'";
	my @blocks = $section =~ /^```sql\n(.*?)^```/msg;

	return $blocks[ $n - 1 ] // die "there is no such SQL below '$heading'";
}

# number_nodes(COORDINATOR, NODE...): each gets its number, as the page says, and
# is started again
sub number_nodes
{
	my ($coordinator, @nodes) = @_;

	$coordinator->safe_psql('postgres', page_sql('A number for each node', 1));
	$_->restart foreach @nodes;
	return;
}

# start_clients(STOP, SQL, [NODE, FILE]...): psqls that run the statements again
# and again, until there is a file STOP.  What they print goes to the files;
# whatever fails is tried anew.
sub start_clients
{
	my ($stop, $sql, @clients) = @_;
	my $script = PostgreSQL::Test::Utils::tempdir() . '/sql';

	append_to_file($script, $sql);
	return map {
		my ($node, $file) = @$_;

		IPC::Run::start(
			[ 'bash', '-c',
				'until [ -e "$0" ]; do psql -XAt -v ON_ERROR_STOP=1 -d "$1" -f "$2" >>"$3" 2>>"$3.errors" || sleep 0.2; done',
				$stop, $node->connstr('postgres'), $script, $file ],
			'<', '/dev/null')
	} @clients;
}

# acknowledged(FILE...): the rows that such clients know to be there
sub acknowledged
{
	return sum0(map { slurp_file($_) =~ /^(?:INSERT 0|COPY) (\d+)$/mg } grep { -e } @_);
}

1;

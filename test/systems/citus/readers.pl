# Readers of new rows beside Citus's own two-phase commits.  Each worker's reader gets every
# row whose id that worker made, once, although workers are killed between PREPARE and
# COMMIT PREPARED.  What a reader cannot rely on, rows on other nodes, is shown as well.

use strict;
use warnings FATAL => 'all';

use Test::More;

use PostgreSQL::Test::Utils;
use SnoCitus;
use SnoTest;

use constant KILLED => 6;

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
UPDATE reader SET since_0 = upto_0, upto_0 = sno_resolved(upto_0, false), since_1 = upto_1, upto_1 = sno_resolved(upto_1, true);
SELECT reader.*, partition FROM reader, sno_stat \gset
INSERT INTO got
SELECT id FROM event WHERE id > :'since_0' AND id <= :'upto_0' AND NOT sno_tick_tock(id) AND sno_partition(id) = :partition
UNION ALL
SELECT id FROM event WHERE id > :'since_1' AND id <= :'upto_1' AND sno_tick_tock(id) AND sno_partition(id) = :partition;
COMMIT;
EOF
foreach my $node ($coordinator, @workers)
{
	query($node, <<'EOF');
SET citus.enable_ddl_propagation = off;
CREATE TABLE got (id sno PRIMARY KEY);
CREATE TABLE reader (
	since_0 sno NOT NULL DEFAULT sno_min(), upto_0 sno NOT NULL DEFAULT sno_min(),
	since_1 sno NOT NULL DEFAULT sno_min(), upto_1 sno NOT NULL DEFAULT sno_min());
INSERT INTO reader DEFAULT VALUES;
EOF
}

# Transactions of several nodes wait between PREPARE and COMMIT PREPARED, since the
# coordinator's commit waits for a standby that it does not have
sub hold_commits
{
	query($coordinator, q(ALTER SYSTEM SET synchronous_standby_names = 'none'));
	$coordinator->reload;
	return;
}

sub let_commits_go
{
	query($coordinator, 'ALTER SYSTEM RESET synchronous_standby_names');
	$coordinator->reload;
	return;
}

sub wait_for_held_commit
{
	$coordinator->poll_query_until('postgres', q(SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND backend_type = 'client backend'))
	  or die 'no commit waits';
	return;
}

# Until all ids that there are are settled on a node
sub wait_for_bound
{
	my ($node) = @_;
	my $last = query($coordinator, 'SELECT max(id) FROM event');

	$node->poll_query_until('postgres', "SELECT sno_resolved(tick_tock => sno_tick_tock('$last')) >= '$last'") or die 'nothing is resolved';
	return;
}

# Where the rows come from other rows, the workers make the ids
{
	my $stop = ids_file('stop');
	my @made = map { ids_file("made_$_") } 1 .. 3;
	my @clients = (
		start_clients($stop, 'INSERT INTO event (tenant) SELECT tenant FROM tenants', map { [ $coordinator, $_ ] } @made),
		start_clients($stop, $read, map { [ $_, ids_file('read_' . $_->name) ] } @workers));

	foreach my $i (1 .. KILLED)
	{
		my $node = $workers[ $i % 2 ];
		my $before = query($node, 'SELECT count(*) FROM got');

		$node->poll_query_until('postgres', "SELECT count(*) > $before + 100 FROM got") or die 'nothing is read';
		hold_commits();
		wait_for_held_commit();
		$node->stop('immediate');
		$node->start;
		is((error_of($node, 'postgres', 'SELECT sno_resolved(tick_tock => false)'))[0], '55000', $node->name . ' resolves nothing after its restart');
		let_commits_go();
	}
	append_to_file($stop, '');
	$_->finish foreach @clients;
	foreach my $node (@workers)
	{
		$node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_prepared_xacts') or die 'Citus leaves transactions prepared';
	}
	cmp_ok(query($coordinator, 'SELECT count(*) FROM event'), '>=', acknowledged(@made), 'what was acknowledged is there');
	foreach my $node (@workers)
	{
		my $errors = slurp_file(ids_file('read_' . $node->name) . '.errors');

		wait_for_bound($node);
		is((error_of($node, 'postgres', $read))[0], '', $node->name . ': the error has ended by itself');
		is( query($node, 'SELECT count(*) FROM event, sno_stat WHERE sno_partition(id) = partition'),
			query($node, 'SELECT count(*) FROM got JOIN event USING (id)'),
			$node->name . ': its reader got every row whose id it made');
		unlike($errors, qr/duplicate key/, $node->name . ': and none twice');
		note($node->name . ': ' . query($node, 'SELECT count(*) FROM got') . ' rows');
	}
}

# A transaction of several nodes ends on its own node first, and then on the others: here,
# the session that will commit on one worker is stopped before
{
	my ($writer, $stopped);

	hold_commits();
	($writer) = start_sessions({ server => $coordinator, sql => "BEGIN;\nINSERT INTO event (tenant) SELECT generate_series(1, 20);\nCOMMIT;\n" });
	wait_for_held_commit();
	$stopped = query($workers[0], q(SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE application_name ~ '^citus_internal' AND query ~ '^PREPARE'));
	kill 'STOP', split / /, $stopped;
	let_commits_go();
	$coordinator->poll_query_until('postgres', 'SELECT count(*) = 0 FROM sno_unresolved') or die 'it does not end';
	wait_for_bound($coordinator);
	is((error_of($coordinator, 'postgres', $read))[0], '', 'the coordinator resolves what ended there');
	kill 'CONT', split / /, $stopped;
	finish_sessions($writer);
	cmp_ok(query($coordinator, 'SELECT count(*) FROM event, sno_stat WHERE sno_partition(id) = partition'), '>', query($coordinator, 'SELECT count(*) FROM got'),
		'but rows that another node had not committed yet are missed: doc/citus.md says so');
}

done_testing();

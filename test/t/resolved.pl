# resolved.pl
#	What holds the bound of sno_resolved() back, and what does not: open and prepared
#	transactions, however they end, over restarts and promotions.  readers.pl shows that
#	readers who go by it miss no row.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoTest;
use SnoTrouble;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	ROUNDS => 500,				# of prepared transactions
	CONNECTIONS => 300,
	SESSIONS => 4000,			# need more memory than is left without preloading
};

my $insert = 'INSERT INTO event DEFAULT VALUES RETURNING id';
my $clock = new_clock('resolved');
my $server;

# Is the id settled, as the bound of its plane says?
sub is_resolved
{
	my ($on, $id, $expected, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(query($on, "SELECT '$id' <= sno_resolved(tick_tock => sno_tick_tock('$id'))"), $expected ? 't' : 'f', $name);
}

# While prepared transactions of before the start are open, no reader gets a bound
sub is_unknown
{
	my ($on, $count, $name) = @_;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	is_error($on, 'postgres', "SELECT $_", '55000', qr/until older prepared transactions have ended\n.*DETAIL:  $count prepared .*pg_prepared_xacts/s, "$name: $_")
	  foreach 'sno_resolved(sno_min(), false)', 'sno_resolved(tick_tock => true)';
	return is(query($on, 'SELECT unresolved_age FROM sno_stat()'), 'Infinity', "$name: and sno_stat shows it");
}

# Prepares a transaction; returns its first id
sub prepare
{
	my ($on, $gid) = @_;

	return query($on, "BEGIN; $insert; PREPARE TRANSACTION '$gid'");
}

sub test_open_transaction
{
	my ($how) = @_;
	my $open = $server->background_psql('postgres');
	my $id;

	$open->query_safe('BEGIN');
	$id = answer_of($open, $insert);
	query($server, join(";\\c\n", ($insert) x CONNECTIONS));
	is_resolved($server, $id, 0, "$how: an open transaction holds the bound back, however many connections come and go");
	$open->query_safe('COMMIT');
	is_resolved($server, $id, 1, "$how: until it commits");

	$open->query_safe('BEGIN');
	$id = answer_of($open, $insert);
	query($server, "SELECT pg_terminate_backend(pid) FROM sno_unresolved()");
	wait_until($server, "'$id' <= sno_resolved(tick_tock => sno_tick_tock('$id'))");
	$open->{run}->finish;
	return;
}

# However a transaction ends that made an id, nothing is left of it
sub test_ends
{
	my ($how) = @_;
	my $pid = query($server, 'SELECT pid FROM pg_stat_activity WHERE backend_type = $$checkpointer$$');
	my $prepare = "PREPARE TRANSACTION 'end'";
	my @ends = (
		'COMMIT', 'ROLLBACK', 'COMMIT AND CHAIN; COMMIT', 'ROLLBACK AND CHAIN; SELECT sno_generate(); ROLLBACK',
		"SAVEPOINT s; $insert; RELEASE s; COMMIT", "SAVEPOINT s; $insert; ROLLBACK TO s; COMMIT", 'SELECT 1 / 0; COMMIT',
		"CREATE TABLE late (n int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO late VALUES (1), (1); COMMIT",
		'SELECT pg_terminate_backend(pg_backend_pid())',
		(map { my $end = "$prepare; $_ PREPARED 'end'"; ($end, "SAVEPOINT s; $insert; $end", "SAVEPOINT s; $insert; ROLLBACK TO s; $end") } qw(COMMIT ROLLBACK)),
		# What the server refuses to prepare, early and late
		"PREPARE TRANSACTION '" . 'x' x 300 . "'", "CREATE TEMP TABLE own (); $prepare", "LISTEN event; $prepare",
		"SELECT pg_export_snapshot(); $prepare", "SELECT pg_advisory_lock(1), pg_advisory_xact_lock(1); $prepare");

	foreach my $end (@ends)
	{
		$server->psql('postgres', "BEGIN; $insert; $end");
	}
	is(query($server, 'SELECT count(*) FROM sno_unresolved()'), '0', "$how: nothing is left, however a transaction ends: " . @ends . ' ways');
	is(query($server, "SELECT count(*) FROM pg_stat_activity WHERE pid = $pid"), '1', "$how: and no session did");
	is(query($server, 'SELECT count(*) FROM pg_prepared_xacts'), '0', "$how: nor is anything prepared");
	return;
}

$clock->set(-86400);
$server = new_server('resolved',
	clock => $clock,
	init => { allows_streaming => 1 },
	settings => { max_prepared_transactions => 2, max_connections => 40 });
query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');

test_open_transaction('not preloaded');

{
	my $first = prepare($server, 'first');

	query($server, "DISCARD ALL; $insert");
	is_resolved($server, $first, 0, 'a prepared transaction holds the bound back');
	is(query($server, "SELECT pid IS NULL, gid, role = current_user, since < now() FROM sno_unresolved()"), 't|first|t|t', 'and sno_unresolved shows it');
	is(query($server, "SELECT pg_sleep(0.01); SELECT unresolved_age >= 10 FROM sno_stat()"), "\nt", 'and sno_stat how old it is');

	query($server, join(";\n", map { "BEGIN; $insert; PREPARE TRANSACTION 'again'; " . ($_ % 2 ? 'COMMIT' : 'ROLLBACK') . " PREPARED 'again'" } 1 .. ROUNDS));
	is_resolved($server, $first, 0, ROUNDS . ' others took the other place');
	query($server, "COMMIT PREPARED 'first'");
	is_resolved($server, $first, 1, 'until it ends');
}

# A prepared transaction outlives the server, which does not know its ids then
{
	my ($old, $new);

	foreach my $way (qw(fast immediate))
	{
		$old = prepare($server, 'old');
		query($server, 'CHECKPOINT') if $way eq 'immediate';
		$server->stop($way);
		$clock->run(sub { $server->start });

		# Who uses sno first: a writer, or a reader
		query($server, $insert) if $way eq 'fast';
		is_unknown($server, 1, "after a stop ($way)");
		$new = prepare($server, 'new');
		is_unknown($server, 1, 'one that was prepared since then does not count');
		query($server, "COMMIT PREPARED 'old'");
		is_resolved($server, $old, 1, 'when the old one has ended, its rows can be read');
		is_resolved($server, $new, 0, 'and the new one holds the bound back');
		query($server, "ROLLBACK PREPARED 'new'");
		is_resolved($server, $new, 1, 'until it ends');
	}

}

{
	prepare($server, $_) foreach 1, 2;
	is_error($server, 'postgres', "BEGIN; $insert; PREPARE TRANSACTION 'one more'", '53200', qr/maximum number of prepared transactions reached/,
		'with all transactions prepared that can be, one more is the error of the server');
	query($server, "COMMIT PREPARED '$_'") foreach 1, 2;
}

test_ends('with prepared transactions');

{
	my $standby = new_standby($server, 'standby', $clock);
	my ($first, $row, $second);

	is_error($standby, 'postgres', 'SELECT sno_resolved(sno_min(), false)', '25006', qr/during recovery.*HINT/s, 'a standby does not know');
	is(query($standby, 'SELECT count(*) FROM sno_unresolved()'), '0', 'nor what holds it back');
	is(query($standby, 'SELECT unresolved_age FROM sno_stat()'), '0', 'nor since when');
	$first = prepare($server, 'survives');
	$second = query($server, $insert);
	$server->wait_for_catchup('standby', 'replay', $server->lsn('insert'));
	crash($server);
	$clock->set($clock->offset_s + 2);
	$standby->promote;
	is_unknown($standby, 1, 'after a promotion, whatever was asked before');
	query($standby, "COMMIT PREPARED 'survives'");
	is_resolved($standby, $_, 1, 'until it ends') foreach ($first, $second);
	$standby->stop;
	$clock->run(sub { $server->start });
	query($server, "ROLLBACK PREPARED 'survives'");
}

# When sno is first used, locks have taken nearly all memory that was left, or all; one
# client reads nothing of the error of 1 MB that it gets.  In 19, locks cannot take all.
my $no_places = qr/no shared memory is left for sno.*shared_preload_libraries/s;
foreach ([ 200_000, $no_places ], [ 0, qr/$no_places|not enough shared memory for data structure "sno"/ ])
{
	my ($left, $error) = @$_;
	$clock->run(sub { configure($server, { max_connections => SESSIONS, max_locks_per_transaction => 10 }) });
	my ($locks, $mute) = map { $server->background_psql('postgres', on_error_stop => 0) } 1, 2;
	$locks->query('DO \'BEGIN FOR n IN 1 .. 1000000 LOOP PERFORM pg_advisory_lock(n); ' .
		"EXIT WHEN n % 50 = 0 AND (SELECT size < $left FROM pg_shmem_allocations WHERE name IS NULL); END LOOP; END';\n" .
		'SELECT pg_advisory_unlock(n) FROM generate_series(2, 99) n');
	$mute->{stdin} .= "DO 'BEGIN PERFORM pg_advisory_lock(1); EXECUTE ''SELECT sno_generate()'' || repeat('' '', 1000000); END';\n";
	$mute->{run}->pump_nb;
	wait_for_lock($server);
	kill 'STOP', $mute->{run}{KIDS}[0]{PID};
	$locks->query('SELECT pg_advisory_unlock(1)');
	wait_until($server, "'ClientWrite' IN (SELECT wait_event FROM pg_stat_activity)");
	is_error($server, 'postgres', $_, '53200', $error, "with $left bytes of memory left, sno is not used: $_") foreach 'SELECT sno_resolved(sno_min(), false)', $insert, 'SELECT FROM sno_stat()';
	kill 'CONT', $mute->{run}{KIDS}[0]{PID};
	$_->quit foreach $locks, $mute;
}

$clock->run(sub { configure($server, preload(max_connections => SESSIONS)) });
test_open_transaction('preloaded');
test_ends('without');

done_testing();

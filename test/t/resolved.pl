# resolved.pl
#	What holds the bound of sno_resolved() back, and what does not: open and prepared
#	transactions, however they end, over restarts and promotions.  readers.pl shows that
#	readers who go by it miss no row.
use strict;
use warnings FATAL => 'all';

use SnoTest;
use SnoTrouble;

use constant SESSIONS => 4000;	# need more memory than is left without preloading

my $insert = 'INSERT INTO event DEFAULT VALUES RETURNING id';
my $clock = new_clock('resolved');
my $server;

# Is the id resolved, as the bound of its plane says?
sub is_resolved
{
	my ($on, $id, $expected, $name) = @_;

	return is(query($on, "SELECT '$id' <= sno_resolved(tick_tock => sno_tick_tock('$id'))"), $expected ? 't' : 'f', $name);
}

# prepare(GID): prepares a transaction; returns its first id
sub prepare
{
	return query($server, "BEGIN; $insert; PREPARE TRANSACTION '$_[0]'");
}

sub test_open_transaction
{
	my ($how) = @_;
	my $open = $server->background_psql('postgres');
	my $id = answer_of($open, "BEGIN; $insert");

	query($server, join(";\\c\n", ($insert) x 300));
	is_resolved($server, $id, 0, "$how: an open transaction holds the bound back, however many connections come and go");
	$open->query_safe('COMMIT');
	is_resolved($server, $id, 1, "$how: until it commits");
	$open->quit;
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
		(map { ($_, "SAVEPOINT s; $insert; $_", "SAVEPOINT s; $insert; ROLLBACK TO s; $_") }
		map { "$prepare; $_ PREPARED 'end'" } qw(COMMIT ROLLBACK)),
		# What the server refuses to prepare, early and late
		"PREPARE TRANSACTION '" . 'x' x 300 . "'", "CREATE TEMP TABLE own (); $prepare", "LISTEN event; $prepare",
		"SELECT pg_export_snapshot(); $prepare", "SELECT pg_advisory_lock(1), pg_advisory_xact_lock(1); $prepare");

	foreach my $end (@ends)
	{
		$server->psql('postgres', "BEGIN; $insert; $end");
	}
	is(query($server, 'SELECT count(*) FROM sno_unresolved()'), '0',
		"$how: nothing is left, however a transaction ends: " . @ends . ' ways');
	is(query($server, "SELECT count(*) FROM pg_stat_activity WHERE pid = $pid"), '1', "$how: no session ended");
	is(query($server, 'SELECT count(*) FROM pg_prepared_xacts'), '0', "$how: no transaction is left prepared");
	return;
}

$clock->set(-86400);
$server = new_server('resolved', clock => $clock, init => { allows_streaming => 1 },
	settings => { max_prepared_transactions => 2, max_connections => 40 });
query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');

test_open_transaction('not preloaded');

{
	my $first = prepare('first');

	query($server, "DISCARD ALL; $insert");
	is_resolved($server, $first, 0, 'a prepared transaction holds the bound back');
	is(query($server, "SELECT pg_sleep(0.01); SELECT unresolved_age >= 10 FROM sno_stat()"), "\nt",
		'sno_stat shows how old a prepared transaction is');

	query($server, join ";\n",
		map { "BEGIN; $insert; PREPARE TRANSACTION 'again'; $_ PREPARED 'again'" } (qw(COMMIT ROLLBACK)) x 250);
	is_resolved($server, $first, 0, 'a prepared transaction holds the bound back while 500 others come and go');
	query($server, "COMMIT PREPARED 'first'");
	is_resolved($server, $first, 1, 'a prepared transaction that has ended holds nothing back');
}

# A prepared transaction outlives the server, and so does its mark
foreach my $way (qw(fast immediate))
{
	my $before = query($server, $insert);
	my $old = prepare('old');
	my $after = query($server, $insert);

	query($server, 'CHECKPOINT') if $way eq 'immediate';
	$server->stop($way);
	$clock->run(sub { $server->start });
	is_resolved($server, $before, 1, "after a stop ($way), what was before it can be read");
	is_resolved($server, $_, 0,
		"after a stop ($way), a prepared transaction holds the bound back") foreach $old, $after;
	is(query($server, "SELECT $_ FROM sno_unresolved()"), 't', "after a stop ($way), sno_unresolved shows it: $_")
	  foreach 'pid IS NULL', q(gid = 'old'), 'role = current_user', 'since < now()', "bound <= '$old'";
	query($server, $way eq 'fast' ? "COMMIT PREPARED 'old'" : "ROLLBACK PREPARED 'old'");
	is_resolved($server, $after, 1, "after a stop ($way), the bound goes on when it ends");
}

# Only transactions of the caller's database do; one that is prepared without an id does not
{
	my $other = 'elsewhere';
	my ($open, $id);

	query($server, "CREATE DATABASE $other");
	$server->safe_psql($other, 'CREATE EXTENSION sno');
	$open = $server->background_psql($other);
	$open->query_safe('BEGIN; SELECT sno_generate()');
	$server->safe_psql($other, "BEGIN; SELECT sno_generate(); PREPARE TRANSACTION 'there'");
	query($server, "BEGIN; CREATE TABLE no_id (); PREPARE TRANSACTION 'no id'");
	$id = query($server, $insert);
	is_resolved($server, $id, 1, 'open and prepared transactions of another database do not hold the bound back');
	is($server->safe_psql($other, 'SELECT count(*) FROM sno_unresolved() WHERE database = current_database()'), '2',
		'sno_unresolved shows both');
	is($server->safe_psql($other, "SELECT sno_resolved(tick_tock => sno_tick_tock('$id')) < '$id'"), 't',
		'they hold back the bound of their own database');
	query($server, "ROLLBACK PREPARED 'no id'");
	$open->quit;
	$server->safe_psql($other, "ROLLBACK PREPARED 'there'");
}

# No memory for the locks of a prepared transaction: an error, and it is not prepared
{
	my $first = query($server, $insert);
	my ($locks, $late) = map { $server->background_psql('postgres', on_error_stop => 0) } 1, 2;

	$late->query_safe("BEGIN; $insert");
	$locks->query('DO \'BEGIN FOR n IN 1 .. 1000000 LOOP PERFORM pg_advisory_lock(n); END LOOP; END\'');
	$late->query("PREPARE TRANSACTION 'no memory'");
	like($late->{stderr}, qr/out of shared memory/, 'without memory for its locks, a transaction is not prepared');
	$late->quit;
	$locks->query('SELECT pg_advisory_unlock_all()');
	$locks->quit;
	is_resolved($server, $first, 1, 'a transaction that was not prepared holds no reader back');
}

test_ends('with prepared transactions');

{
	my $standby = new_standby($server, 'standby', $clock);
	my $first;

	is_error($standby, 'postgres', 'SELECT sno_resolved(sno_min(), false)', '25006', qr/during recovery.*HINT/s,
		'a standby does not know the bound');
	is(query($standby, 'SELECT count(*) FROM sno_unresolved()'), '0', 'a standby does not know what holds the bound back');
	prepare('survives');
	$first = query($server, $insert);
	$server->wait_for_catchup('standby', 'replay', $server->lsn('insert'));
	$server->stop('immediate');
	$clock->move(2);
	$standby->promote;
	is_resolved($standby, $first, 0, 'a prepared transaction holds the bound back after a promotion');
	query($standby, "COMMIT PREPARED 'survives'");
	is_resolved($standby, $first, 1, 'after a promotion, the bound goes on when it ends');
	$standby->stop;
	$clock->run(sub { $server->start });
	query($server, "ROLLBACK PREPARED 'survives'");
}

# When sno is first used, locks have taken nearly all memory that was left, and the first
# session is stopped before it has read the error: it keeps no lock
{
	$clock->run(sub { configure($server, { max_connections => SESSIONS, max_locks_per_transaction => 10 }) });
	my ($locks, $mute) = map { $server->background_psql('postgres', on_error_stop => 0) } 1, 2;
	$locks->query("DO 'BEGIN FOR n IN 1 .. 1000000 LOOP PERFORM pg_advisory_lock(n); EXIT WHEN n % 50 = 0 AND "
		. '(SELECT size < 200000 FROM pg_shmem_allocations WHERE name IS NULL); END LOOP; END\'; '
		. 'SELECT pg_advisory_unlock(n) FROM generate_series(2, 99) AS n');
	$mute->{stdin} .= "DO 'BEGIN PERFORM pg_advisory_lock(1); "
		. "EXECUTE ''SELECT sno_generate()'' || repeat('' '', 1000000); END';\n";
	$mute->{run}->pump_nb;
	wait_for_lock($server);
	kill 'STOP', $mute->{run}{KIDS}[0]{PID};
	$locks->query('SELECT pg_advisory_unlock(1)');
	wait_until($server, "'ClientWrite' IN (SELECT wait_event FROM pg_stat_activity)");
	is_error($server, 'postgres', $_, '53200', qr/no shared memory is left for sno.*shared_preload_libraries/s,
		"with little memory left, sno is not used: $_")
	  foreach 'SELECT sno_resolved(sno_min(), false)', $insert, 'SELECT FROM sno_stat()';
	kill 'CONT', $mute->{run}{KIDS}[0]{PID};
	$_->quit foreach $locks, $mute;
}

$clock->run(sub { configure($server, preload(max_connections => SESSIONS)) });
test_open_transaction('preloaded');
test_ends('without');

done_testing();

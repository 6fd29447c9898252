# synchronous.pl
#	Calls wait for no standby.  Where commits do, so does the commit of a
#	transaction that made ids and wrote nothing: after a failover, none of the
#	ids whose transactions had committed is made again, whether a row holds it or
#	not.
#
# The standby stops getting WAL while sessions select ids; then the primary dies,
# and the standby is promoted with a clock that shows the time of these ids.
use strict;
use warnings FATAL => 'all';

use Test::More;
use Time::HiRes qw(usleep);

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 4,
	CONNECTIONS => 14,
	BEHIND_S => 3,				# the standby's clock
	CUT_S => 5,					# how long the primary goes on, if it does
};

my ($primary_clock, $standby_clock) = map { SnoClock->new($_) } qw(primary standby);
my $primary = new_server('primary',
	clock => $primary_clock,
	init => { allows_streaming => 1 });
my $standby = PostgreSQL::Test::Cluster->new('standby');
my $walsender;

# Sessions that receive ids until stop_load(), or cannot go on
sub start_receiving
{
	my ($server, $mode, @files) = @_;

	return start_endless($server,
		map { [ $_, "SET synchronous_commit = $mode;\n" . "SELECT unnest(sno_generate_array(100)) UNION ALL SELECT sno_generate();\n" x 200_000 ] } @files);
}

sub last_id
{
	return output_of("tail -n 1 @_");
}

# until_later(FILES, S): until they go on for so long, or all of them wait
sub until_later
{
	my ($files, $s) = @_;
	my $attempts = 100 * $PostgreSQL::Test::Utils::timeout_default;
	my $start = query($primary, 'SELECT sno_lower_bound(clock_timestamp())');

	while ($attempts-- > 0)
	{
		return 'all wait' if SESSIONS == query($primary, <<'EOF');
SELECT count(*) FROM pg_stat_activity
WHERE application_name = 'load' AND state = 'active' AND wait_event = 'SyncRep'
EOF
		return 'all go on'
		  if !grep { last_id($_) !~ /^\w{16}$/ || last_id($_) lt query($primary, "SELECT sno_lower_bound(sno_timestamp('$start') + interval '$s s')") } @$files;
		usleep(100_000);
	}
	die 'the sessions neither go on nor wait';
}

# Until the next id needs a reservation that no standby has
sub await_reservation
{
	$primary->poll_query_until('postgres', 'SELECT reserved_until < clock_timestamp() FROM sno_stat')
	  or die 'the reservation does not end';
	return;
}

# start_committing(SQL): a session that waits in a commit; returns it and its process
sub start_committing
{
	my ($sql) = @_;
	my ($session) = start_sessions(
		{ server => $primary, sql => "SET application_name = 'committing';\nSET synchronous_commit = remote_apply;\n$sql\n", output => ids_file('committing') });

	$primary->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_stat_activity WHERE application_name = 'committing' AND wait_event = 'SyncRep'")
	  or die 'the commit does not wait';
	return ($session, query($primary, "SELECT pid FROM pg_stat_activity WHERE application_name = 'committing'"));
}

query($primary, 'CREATE TABLE visit (id sno PRIMARY KEY DEFAULT sno_generate())');

$primary->backup('base');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "synchronous_standby_names = ''");
$standby_clock->run(sub { $standby->start });
$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'");
$primary->reload;
$primary->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
  or die 'the standby is not synchronous';
$walsender = query($primary, 'SELECT pid FROM pg_stat_replication');

# A standby that lags, while others reserve again and again and do not wait for
# it.  It delays every commit, and so what comes after.
foreach my $lag_ms (650, 1200)
{
	my @files = map { ids_file("dense_${lag_ms}_$_") } 1 .. SESSIONS;
	my @dense = start_endless($primary,
		map { [ $_, "SET synchronous_commit = local;\n" . "INSERT INTO visit DEFAULT VALUES RETURNING id;\n" x 200_000 ] } @files);
	my $transaction = "BEGIN;\nSELECT sno_generate();\nINSERT INTO visit DEFAULT VALUES;\nCOMMIT;\n";
	my @sessions;

	$standby->append_conf('postgresql.conf', "recovery_min_apply_delay = ${lag_ms}ms");
	$standby->reload;
	$primary->poll_query_until('postgres', "SELECT replay_lag > 0.9 * interval '$lag_ms ms' FROM pg_stat_replication")
	  or die 'the standby does not lag';
	@sessions = start_sessions(
		map { { server => $primary, sql => "SET synchronous_commit = remote_apply;\n" . $transaction x 2 } } 1 .. CONNECTIONS);
	end_sessions(@sessions);
	is(join('', map { $_->{errors} } @sessions), '', "a lag of $lag_ms ms: new connections insert ids");
	stop_load($primary, @dense);
}
$standby->append_conf('postgresql.conf', 'recovery_min_apply_delay = 0');
$standby->reload;

# What synchronous_commit says
{
	my ($session, $pid);

	query($standby, 'SELECT pg_wal_replay_pause()');
	$standby->poll_query_until('postgres', "SELECT pg_get_wal_replay_pause_state() = 'paused'") or die 'replay goes on';
	await_reservation();
	is((error_of($primary, 'postgres', "SET synchronous_commit = $_; SELECT sno_generate()"))[0], '',
		"a standby that does not replay: $_ does not wait") foreach qw(off local remote_write on remote_apply);
	query($standby, 'SELECT pg_wal_replay_resume()');

	kill('STOP', $walsender) == 1 or die "cannot stop the walsender: $!";
	await_reservation();
	is((error_of($primary, 'postgres', "SET synchronous_commit = $_; SELECT sno_generate()"))[0], '',
		"a standby that gets nothing: $_ does not wait") foreach qw(off local);
	is((error_of($primary, 'postgres', 'SET synchronous_commit = remote_apply; BEGIN; SELECT sno_generate(); ROLLBACK'))[0], '',
		'nor does a transaction that is rolled back');

	($session, $pid) = start_committing("BEGIN READ ONLY;\nSELECT sno_generate();\nCOMMIT;");
	like(last_id(ids_file('committing')), qr/^\w{16}$/, 'a transaction that does not write receives its id');
	is(query($primary, "SELECT query FROM pg_stat_activity WHERE pid = $pid"), 'COMMIT;', 'and waits in its commit');
	query($primary, "SELECT pg_cancel_backend($pid)");
	end_sessions($session);
	like($session->{errors}, qr/WARNING:.*canceling wait for synchronous replication due to user request/, 'where it can be cancelled');

	($session, $pid) = start_committing("BEGIN;\nINSERT INTO visit DEFAULT VALUES RETURNING id;\nCOMMIT;");
	is(query($primary, "SELECT id > sno_resolved(tick_tock => sno_tick_tock(id)) FROM (SELECT sno '" . last_id(ids_file('committing')) . "') AS last (id)"), 't', 'the row of a commit that waits is not resolved');
	query($primary, "SELECT pg_cancel_backend($pid)");
	end_sessions($session);
	is(scalar(() = $session->{errors} =~ /canceling wait/g), 1, 'a transaction that writes waits once, and one cancel ends that');
	is(query($primary, "SELECT id <= sno_resolved(tick_tock => sno_tick_tock(id)) FROM (SELECT sno '" . last_id(ids_file('committing')) . "') AS last (id)"), 't', 'after which its row is resolved');

	($session) = start_committing('SELECT sno_generate();');
	kill('CONT', $walsender) == 1 or die "cannot continue the walsender: $!";
	finish_sessions($session);
	like(last_id(ids_file('committing')), qr/^\w{16}$/, 'a commit goes on when the standby has the reservation');
}

# A failover
{
	my @old = map { ids_file("old_$_") } 1 .. SESSIONS;
	my @new = map { ids_file("new_$_") } 1 .. SESSIONS;
	my @sessions = start_receiving($primary, 'on', @old);

	is(until_later(\@old, 1), 'all go on', 'ids are made');
	kill('STOP', $walsender) == 1 or die "cannot stop the walsender: $!";
	is(until_later(\@old, CUT_S), 'all wait', 'without an answer of the standby all commits wait');
	is((error_of($primary, 'postgres', "SET synchronous_commit = local; SELECT sno_generate()"))[0], '',
		'a session that does not wait for standbys goes on');

	crash($primary);
	end_sessions(@sessions);
	$standby_clock->set(-BEHIND_S);
	$standby->promote;
	@sessions = start_receiving($standby, 'on', @new);
	$standby->poll_query_until('postgres', "SELECT clock_timestamp() > sno_timestamp('" . (sort map { last_id($_) } @old)[-1] . "') + interval '1 s'")
	  or die 'its clock does not get there';
	stop_load($standby, @sessions);
	note id_count(@old) . ' ids were received, then ' . id_count(@new);
	is(duplicates(@old, @new), 0, 'no id whose transaction had committed is made again');
}

done_testing();

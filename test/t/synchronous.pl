# synchronous.pl
#	Calls wait for no standby.  Where commits do, so does the commit of a
#	transaction that made ids and wrote nothing, so that the standby has the
#	reservation of each id whose transaction has committed.
use strict;
use warnings FATAL => 'all';

use SnoTest;
use SnoTrouble;

my $primary = new_server('primary', init => { allows_streaming => 1 });
my ($standby, $walsender);

query($primary, 'SELECT sno_generate()');

$standby = new_standby($primary, 'standby');
$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'");
$primary->reload;
wait_until($primary, "count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
$walsender = query($primary, 'SELECT pid FROM pg_stat_replication');

# What synchronous_commit says
{
	my ($session, $pid);

	query($standby, 'SELECT pg_wal_replay_pause()');
	wait_until($standby, "pg_get_wal_replay_pause_state() = 'paused'");
	wait_until_reserving($primary);
	is((error_of($primary, 'postgres', "SET synchronous_commit = $_; SELECT sno_generate()"))[0], '',
		"a standby that does not replay: $_ does not wait") foreach qw(off local remote_write on remote_apply);
	query($standby, 'SELECT pg_wal_replay_resume()');

	kill('STOP', $walsender) == 1 or die "cannot stop the walsender: $!";
	wait_until_reserving($primary);
	is((error_of($primary, 'postgres', "SET synchronous_commit = $_; SELECT sno_generate()"))[0], '',
		"a standby that gets nothing: $_ does not wait") foreach qw(off local);

	($session, $pid) = start_waiting($primary, 'SyncRep',
		"SET synchronous_commit = remote_apply;\nBEGIN READ ONLY;\nSELECT sno_generate();\nCOMMIT;");
	like(slurp_file(ids_file('SyncRep')), qr/^\w{16}$/, 'a transaction that does not write receives its id');
	is(query($primary, "SELECT query FROM pg_stat_activity WHERE pid = $pid"), 'COMMIT;',
		'a transaction that does not write waits in its commit');
	query($primary, "SELECT pg_cancel_backend($pid)");
	end_sessions($session);
	like($session->{errors}, qr/WARNING:.*canceling wait for synchronous replication due to user request/,
		'the wait in its commit can be cancelled');

	($session) = start_waiting($primary, 'SyncRep', "SET synchronous_commit = remote_apply;\nSELECT sno_generate();");
	kill('CONT', $walsender) == 1 or die "cannot continue the walsender: $!";
	finish_sessions($session);
	like(slurp_file(ids_file('SyncRep')), qr/^\w{16}$/, 'a commit goes on when the standby has the reservation');
}

done_testing();

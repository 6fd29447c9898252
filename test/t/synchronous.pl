# synchronous.pl
#	Where commits wait for standbys, ids do: those that a client received do not
#	come again from the standby, although no transaction held them.  They wait as
#	synchronous_commit says, bounded, and as a rule not at all.
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
	my ($server, @files) = @_;

	return start_endless($server,
		map { [ $_, "SELECT unnest(sno_generate_array(100)) UNION ALL SELECT sno_generate();\n" x 200_000 ] } @files);
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
WHERE application_name = 'load' AND state = 'active' AND wait_event IN ('Extension', 'SnoStandby')
EOF
		return 'all go on'
		  if !grep { last_id($_) !~ /^\w{16}$/ || last_id($_) lt query($primary, "SELECT sno_lower_bound(sno_timestamp('$start') + interval '$s s')") } @$files;
		usleep(100_000);
	}
	die 'the sessions neither go on nor wait';
}

$primary->backup('base');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', "synchronous_standby_names = ''");
$standby_clock->run(sub { $standby->start });
$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'");
$primary->reload;
$primary->poll_query_until('postgres', "SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")
  or die 'the standby is not synchronous';
$walsender = query($primary, 'SELECT pid FROM pg_stat_replication');

# Standbys that answer are not waited for, but for the first id
{
	my @files = map { ids_file("warm_$_") } 1 .. SESSIONS;
	my @sessions;

	query($primary, 'SELECT sno_generate(); SELECT sno_stat_reset()');
	@sessions = start_receiving($primary, @files);
	is(until_later(\@files, 4), 'all go on', 'ids are made while the standby answers');
	stop_load($primary, @sessions);
	cmp_ok(query($primary, 'SELECT reservations FROM sno_stat'), '>=', 4, 'several reservations were made');
	cmp_ok(query($primary, 'SELECT standby_waits FROM sno_stat'), '<=', SESSIONS, 'nobody waited for the later ones');
}

# What synchronous_commit says
{
	my $calls = 'SET sno.wait_timeout = \'2s\'; SELECT sno_generate()';

	query($standby, 'SELECT pg_wal_replay_pause()');
	$standby->poll_query_until('postgres', "SELECT pg_get_wal_replay_pause_state() = 'paused'") or die 'replay goes on';
	$primary->poll_query_until('postgres', 'SELECT reserved_until < clock_timestamp() FROM sno_stat') or die;
	is((error_of($primary, 'postgres', "SET synchronous_commit = $_; $calls"))[0], '',
		"a standby that does not replay: $_ does not wait") foreach qw(off local remote_write on);
	is_error($primary, 'postgres', "SET synchronous_commit = remote_apply; $calls", '55P03',
		qr/Synchronous standbys have not confirmed/, 'a standby that does not replay: remote_apply waits');
	query($standby, 'SELECT pg_wal_replay_resume()');
	is((error_of($primary, 'postgres', "SET synchronous_commit = remote_apply; $calls"))[0], '',
		'and goes on when it does');
}

# A failover
{
	my @old = map { ids_file("old_$_") } 1 .. SESSIONS;
	my @new = map { ids_file("new_$_") } 1 .. SESSIONS;
	my @sessions = start_receiving($primary, @old);
	my $cut_off;

	is(until_later(\@old, 1), 'all go on', 'ids are made');
	kill('STOP', $walsender) == 1 or die "cannot stop the walsender: $!";
	$cut_off = until_later(\@old, CUT_S);
	is($cut_off, 'all wait', 'without an answer of the standby all wait');
	is_error($primary, 'postgres', "SET sno.wait_timeout = '300ms'; SELECT sno_generate()", '55P03',
		qr/Synchronous standbys have not confirmed.*HINT:  .*"synchronous_commit"/s, 'sno.wait_timeout ends a call');
	is_ended($primary, 'SnoStandby', 'SELECT sno_generate()', 'a call') if $cut_off eq 'all wait';
	is((error_of($primary, 'postgres', 'SET synchronous_commit = local; SELECT sno_generate()'))[0], '',
		'who does not wait for standbys goes on');
	cmp_ok(query($primary, 'SELECT standby_waits FROM sno_stat'), '>=', SESSIONS, 'the waits are counted');

	crash($primary);
	end_sessions(@sessions);
	$standby_clock->set(-BEHIND_S);
	$standby->promote;
	@sessions = start_receiving($standby, @new);
	$standby->poll_query_until('postgres', "SELECT clock_timestamp() > sno_timestamp('" . (sort map { last_id($_) } @old)[-1] . "') + interval '1 s'")
	  or die 'its clock does not get there';
	stop_load($standby, @sessions);
	note id_count(@old) . ' ids were received, then ' . id_count(@new);
	is(duplicates(@old, @new), 0, 'no id that was received comes again');
}

done_testing();

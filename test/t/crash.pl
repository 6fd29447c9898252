# crash.pl
#	After a crash of one backend or of the whole server, at any moment, ids stay
#	unique, and the first one comes within 2 s.
#
# The clock stands still while the server is down, so that all that is left of a
# reservation is to be waited for.  Nothing but sno brings its record to the disk
# in time here: the WAL writer sleeps, and no transaction that makes ids commits
# anything.  SEED=n chooses the backends that are killed.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	BACKEND_CRASHES => 4,
	SERVER_CRASHES => 4,		# of which the last sets the clock back
};

seed_random();

my $clock = SnoClock->new('server');
my $server = new_server(
	'crash',
	clock => $clock,
	settings => { restart_after_crash => 'on', wal_writer_delay => '10s' });
my $first_ids = ids_file('first_ids');
my @files = ($first_ids);

# What the client received before its transaction ended without a trace
sub rolled_back_id
{
	return query($server, 'BEGIN READ ONLY; SELECT sno_generate(); ROLLBACK;');
}

# Crashes, with this id as the last one made
sub crash_after
{
	my ($id, $name) = @_;
	my ($next, $tick_tock, $s);

	crash_and_start($server, $clock);
	is_reserved($server, "$name: the id is covered by the record", $id);
	($next, $tick_tock, $s) = first_id($server);
	is_quick($s, "$name: the next id");
	cmp_ok($next, 'gt', $id, "$name: it is a later one");
	append_to_file($first_ids, "$id\n$next\n");
	return;
}

crash_after(rolled_back_id(),
	'right after the first id ever, in a read-only transaction that was rolled back');
crash_after(query($server, 'SELECT sno_generate(); CHECKPOINT'), 'right after a checkpoint');
query($server, 'CHECKPOINT');
$server->poll_query_until('postgres', 'SELECT clock_timestamp() > reserved_until FROM sno_stat')
  or die 'the reservation does not end';
crash_after(rolled_back_id(), 'after a checkpoint and another reservation');

# Crashes under load.  The last one is into a second in which ids were made.
foreach my $round (1 .. BACKEND_CRASHES + SERVER_CRASHES)
{
	my $backend = $round <= BACKEND_CRASHES;
	my $back_s = $round == BACKEND_CRASHES + SERVER_CRASHES ? 1 : 0;
	my $name = "round $round, " . ($backend ? 'a backend' : 'the postmaster') . ' was killed'
	  . ($back_s ? ', the clock is set back by a second' : '');
	my @round_files = load_files("ids_$round");
	my @sessions = start_load($server, @round_files);
	my ($id, $tick_tock, $s);

	push @files, @round_files;
	wait_for_ids($server);
	if ($backend)
	{
		my @pids = split /\n/, query($server, "SELECT pid FROM pg_stat_activity WHERE application_name = 'load' ORDER BY backend_start");

		kill(9, $pids[ rand(@pids) ]) == 1 or die 'no backend to kill';
	}
	else
	{
		crash_and_start($server, $clock, $back_s);
	}
	# The server ends all sessions before it starts anew
	end_sessions(@sessions);
	$server->poll_query_until('postgres', 'SELECT true') or die 'the server does not start';
	is_reserved($server, "$name: all ids are covered by the record",
		map { output_of("tail -n 1 $_") } @round_files);
	($id, $tick_tock, $s) = first_id($server);
	is_quick($s, "$name: the first id comes");
	is($tick_tock, 'f', "$name: it is in the same plane") if $back_s == 0;
	append_to_file($first_ids, "$id\n");
}
push @files, load($server, 'last');
no_duplicates('no id comes twice, before or after a crash', @files);
unlink @files;

done_testing();

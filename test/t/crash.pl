# crash.pl
#	After a crash right behind an id, beside a checkpoint or not, the next one is
#	a later one, and comes within 2 s.  Crashes under load are for soak.pl.
#
# The clock stands still while the server is down, so that all that is left of a
# reservation is to be waited for.  Nothing but sno brings its record to the disk
# in time here: the WAL writer sleeps, and no transaction that makes ids commits
# anything.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoTest;

my $clock = SnoClock->new('server');
my $server = new_server(
	'crash',
	clock => $clock,
	settings => { wal_writer_delay => '10s' });

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
	return;
}

crash_after(rolled_back_id(),
	'right after the first id ever, in a read-only transaction that was rolled back');
crash_after(query($server, 'SELECT sno_generate(); CHECKPOINT'), 'right after a checkpoint');
query($server, 'CHECKPOINT');
$server->poll_query_until('postgres', 'SELECT clock_timestamp() > reserved_until FROM sno_stat')
  or die 'the reservation does not end';
crash_after(rolled_back_id(), 'after a checkpoint and another reservation');

done_testing();

# promote.pl
#	A standby that is promoted after its primary died at work, with a clock that
#	is behind, makes no id again that a transaction it has made.
#
# Its clock shows a time at which the primary made ids, so that it would make
# them again if it did not know better.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;

sub standby_of
{
	my ($primary, $backup, $name, $clock) = @_;
	my $standby = PostgreSQL::Test::Cluster->new($name);

	# From a backup of the first primary, whoever it streams from
	$standby->init_from_backup($backup, 'base');
	$standby->enable_streaming($primary);
	$clock->run(sub { $standby->start });
	return $standby;
}

# The primary has died; what it did is not to come again from the standby,
# promoted at this time.  Returns the plane of the first id.
sub promote_at
{
	my ($standby, $clock, $to_s, $name) = @_;
	my @old = surviving_ids($standby, 'old');
	my $tick_tock;

	note id_count(@old) . ' ids survive';
	$clock->set_to($to_s);
	$standby->promote;
	$tick_tock = goes_on($standby, $name, @old);
	unlink @old;
	return $tick_tock;
}

my %clocks = map { $_ => SnoClock->new($_) } qw(first second third cut_off);
my ($first, $second, $third, $cut_off, $past_s, $cut_off_s, $died_s, @sessions);

$clocks{first}->set(-3600);
$first = new_server('first', clock => $clocks{first}, init => { allows_streaming => 1 });
$first->backup('base');
$second = standby_of($first, $first, 'second', $clocks{second});
$third = standby_of($second, $first, 'third', $clocks{third});
$cut_off = standby_of($first, $first, 'cut_off', $clocks{cut_off});

# An hour before the rest
$past_s = $clocks{first}->now_s;
@sessions = start_batches($first, load_files('past'));
wait_for_ids($first);
stop_load($first, @sessions);
$clocks{first}->set(0);
@sessions = start_batches($first, load_files('present'));
wait_for_ids($first);

# One standby is cut off before the end
$first->wait_for_catchup($cut_off);
$cut_off->append_conf('postgresql.conf', "primary_conninfo = ''");
$cut_off->reload;
$cut_off->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver')
  or die 'the standby goes on streaming';
$cut_off_s = $clocks{first}->now_s;

wait_for_ids($first);
$first->wait_for_catchup($second);
crash($first);
end_sessions(@sessions);

is(promote_at($second, $clocks{second}, $past_s, 'promoted with a clock an hour behind'),
	't', 'it goes on in the other plane');
promote_at($cut_off, $clocks{cut_off}, $cut_off_s - 1,
	'promoted without the last of the primary, with a clock a second behind');

# The promoted one dies as well
@sessions = start_batches($second, load_files('second'));
wait_for_ids($second);
$second->wait_for_catchup($third);
crash($second);
$died_s = $clocks{second}->now_s;
end_sessions(@sessions);
is(query($third, 'SELECT count(DISTINCT file) FROM batches'), load_files('past') + load_files('present') + load_files('second'),
	'the standby of the standby has what both have made');
promote_at($third, $clocks{third}, $died_s - 1,
	'a standby of a standby, promoted with a clock a second behind');
unlink map { load_files($_) } qw(past present second);

done_testing();

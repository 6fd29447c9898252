# promote.pl
#	A standby that is promoted after its primary died at work, with a clock that
#	is behind, makes no id again that a transaction it has made; nor does a server
#	that is started from a base backup, taken at work.
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

# continues(SERVER, CLOCK, TIME, NAME): the primary has died; what it did is
# not to come again from this server, once it writes, at this time.  Returns the
# plane of the first id.
sub continues
{
	my ($server, $clock, $to_s, $name) = @_;
	my @old = surviving_ids($server, 'old');
	my $tick_tock;

	cmp_ok(id_count(@old), '>', SnoLoad::LOAD_IDS, "$name: it has many rows");
	$clock->set_to($to_s);
	$server->promote if -e $server->data_dir . '/standby.signal';
	$tick_tock = goes_on($server, $name, @old);
	unlink @old;
	return $tick_tock;
}

my %clocks = map { $_ => SnoClock->new($_) } qw(first second third);
my ($first, $second, $third, $past_s, $backup_s, $died_s, @sessions);

$clocks{first}->set(-3600);
$first = new_server('first', clock => $clocks{first}, init => { allows_streaming => 1 });
$first->backup('base');
$second = standby_of($first, $first, 'second', $clocks{second});
$third = standby_of($second, $first, 'third', $clocks{third});

# An hour before the rest
$past_s = $clocks{first}->now_s;
@sessions = start_batches($first, load_files('past'));
wait_for_ids($first);
stop_load($first, @sessions);
$clocks{first}->set(0);
@sessions = start_batches($first, load_files('present'));
wait_for_ids($first);

# What comes after the backup is lost to it
$first->backup('at_work');
$backup_s = $clocks{first}->now_s;

wait_for_ids($first);
$first->wait_for_catchup($second);
crash($first);
end_sessions(@sessions);

is(continues($second, $clocks{second}, $past_s, 'promoted with a clock an hour behind'),
	't', 'it goes on in the other plane');
foreach my $behind ([ 'an hour', $past_s ], [ 'a second', $backup_s - 1 ])
{
	my ($name, $to_s) = @$behind;
	my $clock = SnoClock->new('restored');
	my $restored = PostgreSQL::Test::Cluster->new('restored_' . $name =~ tr/ /_/r);

	$restored->init_from_backup($first, 'at_work');
	$clock->set_to($to_s);
	$clock->run(sub { $restored->start });
	continues($restored, $clock, $to_s, "a backup started $name behind");
	$restored->stop;
}

# The promoted one dies as well
@sessions = start_batches($second, load_files('second'));
wait_for_ids($second);
$second->wait_for_catchup($third);
crash($second);
$died_s = $clocks{second}->now_s;
end_sessions(@sessions);
is(query($third, 'SELECT count(DISTINCT file) FROM batches'), load_files('past') + load_files('present') + load_files('second'),
	'the standby of the standby has what both have made');
continues($third, $clocks{third}, $died_s - 1,
	'a standby of a standby, promoted with a clock a second behind');
unlink map { load_files($_) } qw(past present second);

done_testing();

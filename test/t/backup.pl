# backup.pl
#	A base backup taken from a server at work, started after that server died,
#	with a clock that is behind, makes no id again that its rows hold.
#
# The clock shows a time at which the original made ids, so that they would be
# made again if the backup did not know better.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;

my $clock = SnoClock->new('original');
my ($original, $hour_s, $second_s, @sessions);

$clock->set(-3600);
$original = new_server('original', clock => $clock, init => { allows_streaming => 1 });
$hour_s = $clock->now_s;
@sessions = start_batches($original, load_files('before'));
wait_for_ids($original);
$clock->set(0);
wait_for_ids($original);
$original->backup('base');
$second_s = $clock->now_s - 1;

# What is lost
wait_for_ids($original);
crash($original);
end_sessions(@sessions);

foreach my $behind ([ 'an hour', $hour_s ], [ 'a second', $second_s ])
{
	my ($name, $to_s) = @$behind;
	my $restored_clock = SnoClock->new('restored');
	my $restored = PostgreSQL::Test::Cluster->new('restored_' . $name =~ tr/ /_/r);
	my @old;

	$restored->init_from_backup($original, 'base');
	$restored_clock->set_to($to_s);
	$restored_clock->run(sub { $restored->start });
	@old = surviving_ids($restored, 'old');
	cmp_ok(id_count(@old), '>', SnoLoad::LOAD_IDS, "a backup started $name behind: it has many rows");
	$restored_clock->set_to($to_s);
	goes_on($restored, "a backup started $name behind", @old);
	unlink @old;
	$restored->stop;
}
unlink load_files('before');

done_testing();

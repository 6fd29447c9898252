# backup.pl
#	A base backup taken from a server at work, started after that server died,
#	with a clock that is behind, makes no id again that its rows hold.
#
# The clock shows a time at which the original made ids, so that they would be
# made again if the backup did not know better.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 8,
	IDS => 300_000,				# of a load
};

# Ids of a load go to files of this name
sub files
{
	my ($name) = @_;

	return map { ids_file("${name}_$_") } 1 .. SESSIONS;
}

my $clock = SnoClock->new('original');
my ($original, $hour_s, $second_s, @sessions);

$clock->set(-3600);
$original = new_server('original', clock => $clock, init => { allows_streaming => 1 });
create_batches($original);
$hour_s = $clock->now_s;
@sessions = start_batches($original, files('before'));
wait_for_ids($original, load_size(IDS));
$clock->set(0);
wait_for_ids($original, load_size(IDS));
$original->backup('base');
$second_s = $clock->now_s - 1;

# What is lost
wait_for_ids($original, load_size(IDS));
crash($original);
end_sessions(@sessions);

foreach my $behind ([ 'an hour', $hour_s ], [ 'a second', $second_s ])
{
	my ($name, $to_s) = @$behind;
	my $restored_clock = SnoClock->new('restored');
	my $restored = PostgreSQL::Test::Cluster->new('restored_' . $name =~ tr/ /_/r);
	my @new = files('new');
	my ($id, $tick_tock, $s, @old, @new_sessions);

	$restored->init_from_backup($original, 'base');
	$restored_clock->set_to($to_s);
	$restored_clock->run(sub { $restored->start });
	($id, $tick_tock, $s) = first_id($restored);
	is_quick($s, "a backup started $name behind: the first id comes");
	@new_sessions = start_load($restored, @new);
	wait_for_ids($restored, load_size(IDS));
	stop_load($restored, @new_sessions);
	append_to_file($new[0], "$id\n");

	@old = surviving_ids($restored, 'old');
	cmp_ok(id_count(@old), '>', load_size(IDS), "a backup started $name behind: it has many rows");
	no_duplicates("a backup started $name behind: no id of its transactions comes again", @old, @new);
	$restored->stop;
}
unlink files('before');

done_testing();

# snapshot.pl
#	A new cluster with the partition of an old one makes none of its ids, once
#	it has restored the old one's snapshot, although its clock is behind.
#
# Its clock shows a time at which the old one made ids, so that without the
# snapshot it would make them again.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant PAST_S => 4;		# how long the old one makes ids an hour ago

my $settings = preload('sno.partition' => 77);
my ($restore, $past_s, $end_s, @old);

# The old server: ids of an hour ago, and of the present
{
	my $clock = SnoClock->new('old');
	my ($server, @sessions);

	$clock->set(-3600);
	$server = new_server('old', settings => $settings, clock => $clock);
	@old = load_files('old');
	$past_s = $clock->now_s;
	@sessions = start_load($server, @old);
	$server->poll_query_until('postgres',
		"SELECT extract(epoch FROM clock_timestamp()) > $past_s + ${\PAST_S}")
	  or die 'time stands still';
	$clock->set(0);
	wait_for_ids($server);
	stop_load($server, @sessions);
	$restore = query($server, 'SELECT format($$SELECT sno_restore(%L)$$, sno_snapshot())');
	$end_s = $clock->now_s;
	$server->stop;
}

# A second behind, restored and crashed before the first id
{
	my $clock = SnoClock->new('second');
	my $server = new_server('second', settings => $settings, clock => $clock);
	my $planes = 'SELECT sno_snapshot() #- $${clock}$$';
	my $before = query($server, $planes);

	is_error($server, 'postgres', $restore =~ s/"reserved": \K/-/r, '22023', qr/invalid snapshot/, 'a wrong snapshot is refused');
	is(query($server, $planes), $before, 'and nothing has changed');
	query($server, "BEGIN; $restore; ROLLBACK");
	crash($server);
	$clock->set_to($end_s - 1);
	$clock->run(sub { $server->start });
	goes_on($server, 'a second behind, after a rollback and a crash', @old);
	$server->stop;
}

# An hour behind, restored while sessions make ids: lines of 1 and an id that a
# call made which may have begun before the restore returned, and lines of 2
# and one that a later call made.
{
	my $clock = SnoClock->new('hour');
	my $server = new_server('hour', settings => $settings, clock => $clock);
	my @lines = load_files('lines');
	my @new = load_files('hour');
	my @sessions;

	query($server, "CREATE SEQUENCE restored; SELECT nextval('restored')");
	$clock->set_to($past_s);
	@sessions = start_sessions(
		map {
			{   server => $server,
				output => $_,
				sql => <<'EOF' }
SET application_name = 'load';
COPY (
	SELECT pg_sequence_last_value('restored'), sno_generate()
	FROM (SELECT generate_series(1, 2000000000)) AS n
) TO STDOUT;
EOF
		} @lines);
	wait_for_ids($server);
	query($server, $restore);
	query($server, "SELECT nextval('restored')");
	wait_for_ids($server);
	stop_load($server, @sessions);
	foreach my $i (0 .. $#lines)
	{
		system_or_bail('sh', '-c', "sed -n 's/^2\t//p' $lines[$i] > $new[$i]");
	}
	is(scalar(grep { -s $_ } @new), scalar @new, 'an hour behind: all sessions go on after the restore');
	cmp_ok($clock->now_s, '<', $past_s + 3600, 'an hour behind: it is still before the old ids of the present');

	# Once more, and after a crash
	query($server, $restore);
	push @new, load($server, 'twice');
	query($server, $restore);
	crash_and_start($server, $clock);
	goes_on($server, 'an hour behind, from the first restore on, and after a crash', @old, @new);
	unlink @lines, @old, @new;
}

done_testing();

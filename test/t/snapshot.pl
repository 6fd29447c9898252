# snapshot.pl
#	A new cluster with the partition of an old one makes none of its ids, once
#	it has restored the old one's snapshot, although its clock is behind.
#
# Its clock shows a time at which the old one made ids, so that without the
# snapshot it would make them again.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 8,
	IDS => 300_000,				# of a load
	PAST_S => 4,				# how long the old one makes ids an hour ago
};

my $settings = preload('sno.partition' => 77);

# Ids of a load go to files of this name
sub files
{
	my ($name) = @_;

	return map { ids_file("${name}_$_") } 1 .. SESSIONS;
}

# load(SERVER, NAME): makes ids; returns the files
sub load
{
	my ($server, $name) = @_;
	my @files = files($name);
	my @sessions = start_load($server, @files);

	wait_for_ids($server, load_size(IDS));
	stop_load($server, @sessions);
	return @files;
}

sub restore
{
	my ($server, $snapshot) = @_;

	$server->safe_psql('postgres', "SELECT sno_restore('$snapshot')");
	return;
}

my ($snapshot, $past_s, $end_s, @old, @old_again);

# The old server: ids of an hour ago, and of the present
{
	my $clock = SnoClock->new('old');
	my ($server, @sessions);

	$clock->set(-3600);
	$server = new_server('old', settings => $settings, clock => $clock);
	@old = files('old');
	$past_s = $clock->now_s;
	@sessions = start_load($server, @old);
	$server->poll_query_until('postgres',
		"SELECT extract(epoch FROM clock_timestamp()) > $past_s + ${\PAST_S}")
	  or die 'time stands still';
	$clock->set(0);
	wait_for_ids($server, load_size(IDS));
	stop_load($server, @sessions);
	$snapshot = $server->safe_psql('postgres', 'SELECT sno_snapshot()');
	$end_s = $clock->now_s;
	$server->stop;
	@old_again = map { "$_.again" } @old;
	link($old[$_], $old_again[$_]) or die "$old[$_]: $!" foreach 0 .. $#old;
}

# A second behind, restored and crashed before the first id
{
	my $clock = SnoClock->new('second');
	my $server = new_server('second', settings => $settings, clock => $clock);
	my ($id, $tick_tock, $s, @new);

	restore($server, $snapshot);
	crash($server);
	$clock->set_to($end_s - 1);
	$clock->run(sub { $server->start });
	($id, $tick_tock, $s) = first_id($server);
	is_quick($s, 'a second behind, after a crash: the first id comes');
	@new = load($server, 'second');
	append_to_file($new[0], "$id\n");
	no_duplicates('a second behind, after a crash: none of the old ids comes again', @old, @new);
	$server->stop;
}

# An hour behind, restored while sessions make ids: lines of 1 and an id that a
# call made which may have begun before the restore returned, and lines of 2
# and one that a later call made.
{
	my $clock = SnoClock->new('hour');
	my $server = new_server('hour', settings => $settings, clock => $clock);
	my @lines = files('lines');
	my @new = files('hour');
	my ($id, $tick_tock, $s, $before, @sessions);

	$server->safe_psql('postgres', "CREATE SEQUENCE restored; SELECT nextval('restored')");
	$clock->set_to($past_s);
	@sessions = start_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				output => $_,
				sql => <<'EOF' }
SET application_name = 'load';
COPY (
	SELECT pg_sequence_last_value('restored'), sno_generate()
	FROM (SELECT generate_series(1, 2000000000)) AS n
) TO STDOUT;
EOF
		} @lines);
	wait_for_ids($server, 20_000);
	restore($server, $snapshot);
	$server->safe_psql('postgres', "SELECT nextval('restored')");
	wait_for_ids($server, load_size(IDS));
	stop_load($server, @sessions);
	foreach my $i (0 .. $#lines)
	{
		system_or_bail('sh', '-c', "sed -n 's/^2\t//p' $lines[$i] > $new[$i]");
	}
	is(scalar(grep { -s $_ } @new), SESSIONS, 'an hour behind: all sessions go on after the restore');
	cmp_ok($clock->now_s, '<', $past_s + 3600, 'an hour behind: it is still before the old ids of the present');

	# Once more, and after a crash
	$before = $server->safe_psql('postgres', 'SELECT sno_snapshot()');
	restore($server, $snapshot);
	is($server->safe_psql('postgres', <<"EOF"), 't|t', 'a second restore takes back no reservation');
SELECT (sno_snapshot()->'planes'->0->>'reserved')::bigint >= ('$before'::jsonb->'planes'->0->>'reserved')::bigint,
	(sno_snapshot()->'planes'->1->>'reserved')::bigint >= ('$before'::jsonb->'planes'->1->>'reserved')::bigint
EOF
	push @new, load($server, 'twice');
	restore($server, $snapshot);
	crash_and_start($server, $clock);
	($id, $tick_tock, $s) = first_id($server);
	is_quick($s, 'an hour behind, after a crash: the first id comes');
	append_to_file($new[0], "$id\n");
	push @new, load($server, 'crashed');
	no_duplicates('an hour behind: none of the old ids comes again once a restore has returned', @old_again, @new);
	unlink @lines;
	$server->stop;
}

done_testing();

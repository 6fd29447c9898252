# standby.pl
#	A standby makes no ids, as it shares the partition with its primary, but
#	does everything else; once promoted it makes them, and none that a row holds.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

use PostgreSQL::Test::Cluster;

my @calls = ('sno_generate()', 'sno_generate(0, now())', 'sno_generate_many(2)', 'sno_generate_array(2)');

# Of the planes of a snapshot, with the reservation as the last tick of each
my $reserved = <<'EOF';
SELECT jsonb_agg(jsonb_build_object('last', plane->'reserved', 'reserved', plane->'reserved'))
FROM jsonb_array_elements(sno_snapshot()->'planes') AS plane
EOF

foreach my $settings ({}, preload('sno.partition' => 9))
{
	my $how = %$settings ? 'preloaded' : 'not preloaded';
	my $name = $how =~ tr/ /_/r;
	my $primary = new_server(
		"primary_$name",
		settings => $settings,
		init => { allows_streaming => 1 });
	my $standby = PostgreSQL::Test::Cluster->new("standby_$name");
	my ($newest, $partition, $session);

	$primary->backup('base');
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	$standby->start;
	query($primary, <<'EOF');
CREATE TABLE made (id sno PRIMARY KEY DEFAULT sno_generate(), n int);
INSERT INTO made (n) SELECT generate_series(1, 1000);
EOF
	($newest, $partition) = split /\|/, query($primary, 'SELECT max(id), sno_partition(max(id)) FROM made');
	$primary->wait_for_catchup($standby);

	is_error($standby, 'postgres', "SELECT $_", '25006', qr/during recovery/, "$how: $_ is refused on a standby")
	  foreach @calls, 'sno_restore(sno_snapshot())', 'sno_reset()';
	is((error_of($standby, 'postgres', 'EXPLAIN SELECT FROM made WHERE id IN (sno_generate(0), sno_generate(1))'))[0], '',
		"$how: a query that would call it is planned on a standby");
	is_reserved($standby, "$how: a snapshot of a standby has what the primary reserved", $newest);
	is(query($standby, 'SELECT sno_snapshot()->$$planes$$'), query($primary, $reserved),
		"$how: and nothing else, as everything reserved may have been generated");
	is(query($standby, <<'EOF'), "1000|$newest|7|1000", "$how: the standby reads what the primary wrote, and calls what makes no id");
SELECT count(*), max(id), sno_meta(sno_with_meta(max(id), 7)), count(*) FILTER (WHERE id <= sno_upper_bound(now()))
FROM made WHERE id > sno_min()
EOF
	is(query($standby, 'SELECT partition, last_tick IS NULL, plane IS NULL, slots_claimed FROM sno_stat'),
		"$partition|t|t|0", "$how: sno_stat says that no id was made there");

	# A session that is there before and after
	$session = $standby->background_psql('postgres', on_error_stop => 0);
	$session->query('SELECT sno_generate()');
	$primary->stop;
	$standby->promote;
	like($session->query("SELECT sno_generate() > '$newest'"), qr/\A\n?t\n?\z/,
		"$how: after promotion ids are made, above those of before");
	$session->quit;
	is((error_of($standby, 'postgres', "SELECT $_"))[0], '', "$how: $_ works after promotion") foreach @calls;
	is(query($standby, 'INSERT INTO made (n) VALUES (0) RETURNING sno_partition(id)'), $partition, "$how: in the same partition");
}

# A primary dies at work.  In its place come a standby that got no WAL for a while,
# and a backup, whose clocks show the time of the rows that they have.
{
	my $clock = SnoClock->new('at_work');
	my $primary = new_server('at_work', clock => $clock, init => { allows_streaming => 1 });
	my ($backup, $cut_off) = map { PostgreSQL::Test::Cluster->new($_) } qw(backup cut_off);
	my @files = map { ids_file("at_work_$_") } 1 .. 3;
	my @sessions = start_batches($primary, @files);
	my $died_s;

	wait_for_ids($primary);
	$primary->backup('work');
	$backup->init_from_backup($primary, 'work');
	$cut_off->init_from_backup($primary, 'work', has_streaming => 1);
	$clock->run(sub { $cut_off->start });
	$primary->wait_for_catchup($cut_off);
	$cut_off->append_conf('postgresql.conf', "primary_conninfo = ''");
	$cut_off->reload;
	$cut_off->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'it is not cut off';
	wait_for_ids($primary);
	$died_s = $clock->now_s;
	crash($primary);
	end_sessions(@sessions);
	foreach my $successor ($cut_off, $backup)
	{
		my $name = 'in place of the primary, ' . $successor->name;
		my @ids;

		$clock->set_to($died_s - 5);
		$successor == $cut_off ? $successor->promote : $clock->run(sub { $successor->start });
		@ids = surviving_ids($successor, $successor->name);
		cmp_ok(id_count(@ids), '<', id_count(@files), "$name: ids are lost");
		is_reserved($successor, "$name: the others are covered by its record", map { output_of("sort $_ | tail -n 1") } @ids);
		goes_on($successor, $name, @ids);
		$successor->stop;
	}
}

# streaming(NAME, SETTINGS, BEHIND_S): a primary, and a standby whose clock is this
# much behind
sub streaming
{
	my ($name, $settings, $behind_s) = @_;
	my ($clock, $standby_clock) = map { SnoClock->new("${name}_$_") } qw(primary standby);
	my $primary = new_server("${name}_primary", clock => $clock, settings => $settings, init => { allows_streaming => 1 });
	my $standby = PostgreSQL::Test::Cluster->new("${name}_standby");

	$standby_clock->set(-$behind_s);
	$primary->backup('base');
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	$standby_clock->run(sub { $standby->start });
	return ($primary, $standby, $clock);
}

# A promotion to a clock that is behind costs no wait
foreach my $behind_s (1, 60)
{
	my ($primary, $standby) = streaming("behind_$behind_s", {}, $behind_s);
	my ($last, $next, $tick_tock);

	$last = query($primary, 'SELECT sno_generate()');
	$primary->wait_for_catchup($standby);
	crash($primary);
	$standby->promote;
	($next, $tick_tock) = first_id($standby);
	is(query($standby, 'SELECT overflow_waits + reservation_waits FROM sno_stat'), '0', "promoted with a clock $behind_s s behind: the first id waits for nothing");
	is($tick_tock, $behind_s == 1 ? 'f' : 't', $behind_s == 1 ? 'it is in the same plane' : 'it is in the other plane');
	cmp_ok($next, 'gt', $last, 'and above those of before') if $behind_s == 1;
	$standby->stop;
}

# The own clock of a primary is an hour ahead when it loses its last reservation, and
# ids beyond what the standby knows to be reserved: none of those is made again
{
	my ($primary, $standby, $clock) = streaming('ahead', preload('sno.tick_tock' => 'off'), 3600);
	my ($reserved, @ids);

	query($primary, 'SELECT sno_generate()');
	$clock->set(-3600);
	query($primary, 'SELECT sno_generate()');
	$primary->wait_for_catchup($standby);
	$standby->append_conf('postgresql.conf', "primary_conninfo = ''");
	$standby->reload;
	$standby->poll_query_until('postgres', 'SELECT count(*) = 0 FROM pg_stat_wal_receiver') or die 'it is not cut off';
	$reserved = query($standby, 'SELECT reserved_until FROM sno_stat');
	do { push @ids, query($primary, 'SELECT sno_generate()') }
	  until query($primary, "SELECT sno_timestamp('$ids[-1]') > '$reserved'") eq 't';
	push @ids, split /\n/, query($primary, 'SELECT sno_generate_many(1000)');
	crash($primary);
	$standby->promote;
	cmp_ok((first_id($standby))[0], 'gt', (sort @ids)[-1], 'a promoted standby makes no id of a reservation that was lost with a lead');
	$standby->stop;
}

done_testing();

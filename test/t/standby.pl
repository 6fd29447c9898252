# standby.pl
#	A standby makes no ids, because it shares the partition with its primary, but
#	does everything else; once promoted it makes them, and none that a row holds.
use strict;
use warnings FATAL => 'all';

use SnoLoad;
use SnoTest;
use SnoTrouble;

my @calls = ('sno_generate()', 'sno_generate(0, now())', 'sno_generate_many(2)', 'sno_generate_array(2)');

{
	my $primary = new_server('primary', init => { allows_streaming => 1 });
	my $standby = new_standby($primary, 'standby');
	my ($newest, $partition, $session);

	query($primary, <<'EOF');
CREATE TABLE made (id sno PRIMARY KEY DEFAULT sno_generate(), n int);
INSERT INTO made (n) SELECT generate_series(1, 1000);
EOF
	($newest, $partition) = split /\|/, query($primary, 'SELECT max(id), sno_partition(max(id)) FROM made');
	$primary->wait_for_catchup($standby);

	is_error($standby, 'postgres', "SELECT $_", '25006', qr/during recovery/, "$_ is refused on a standby")
	  foreach @calls, 'sno_restore(sno_snapshot())', 'sno_reset()';
	is((error_of($standby, 'postgres', 'EXPLAIN SELECT FROM made WHERE id IN (sno_generate(0), sno_generate(1))'))[0], '',
		"a query that would call it is planned on a standby");
	is_reserved($standby, "a snapshot of a standby has what the primary reserved", $newest);
	is(query($standby, "SELECT $_ FROM sno_stat()"), 't', "sno_stat says that no id was made there: $_")
	  foreach "partition = $partition", 'last_tick IS NULL', 'plane IS NULL', 'slots_claimed = 0';

	# A session that is there before and after
	$session = $standby->background_psql('postgres', on_error_stop => 0);
	$session->query('SELECT sno_generate()');
	$primary->stop;
	$standby->promote;
	like($session->query("SELECT sno_generate() > '$newest'"), qr/\A\n?t\n?\z/,
		"after promotion ids are made, above those of before");
	$session->quit;
	is((error_of($standby, 'postgres', "SELECT $_"))[0], '', "$_ works after promotion") foreach @calls;
	is(query($standby, 'INSERT INTO made (n) VALUES (0) RETURNING sno_partition(id)'),
		$partition, "in the same partition");
}

# A primary dies at work.  In its place come a standby that got no WAL for a while,
# and a backup, whose clocks show the time of the rows that they have.
{
	my $clock = new_clock('at_work');
	my $primary = new_server('at_work', clock => $clock, init => { allows_streaming => 1 });
	my $backup = PostgreSQL::Test::Cluster->new('backup');
	my ($cut_off, $died_s, @sessions);

	query($primary, 'CREATE TABLE made (id sno NOT NULL DEFAULT sno_generate())');
	@sessions = start_endless($primary, map { [ ids_file("at_work_$_"),
		"INSERT INTO made SELECT FROM generate_series(1, 20) RETURNING id;\n" x 100_000 ] } 1 .. 3);
	wait_for_ids($primary, 10_000);
	$primary->backup('work');
	$backup->init_from_backup($primary, 'work');
	$cut_off = new_standby($primary, 'cut_off', $clock);
	$primary->wait_for_catchup($cut_off);
	# From now on it gets no WAL
	$cut_off->append_conf('postgresql.conf', "primary_conninfo = ''");
	$cut_off->reload;
	wait_until($cut_off, 'count(*) = 0 FROM pg_stat_wal_receiver');
	wait_for_ids($primary, 10_000);
	$died_s = $clock->now_s;
	$primary->stop('immediate');
	end_sessions(@sessions);
	foreach my $successor ($cut_off, $backup)
	{
		my ($name, $rows) = ('in place of the primary, ' . $successor->name, ids_file('rows'));

		$clock->set_to($died_s - 5);
		$successor == $cut_off ? $successor->promote : $clock->run(sub { $successor->start });
		run_sessions({ server => $successor, sql => "COPY (SELECT id FROM made ORDER BY sno_tick_tock(id), id) TO STDOUT;\n",
			output => $rows });
		cmp_ok(id_count($rows), '<', id_count(map { $_->{output} } @sessions), "$name: ids are lost");
		is_reserved($successor, "$name: the others are covered by its record", split /\n/,
			query($successor, 'SELECT max(id) FROM made GROUP BY sno_tick_tock(id)'));
		goes_on($successor, $name, $rows);
		$successor->stop;
	}
}

done_testing();

# reset.pl
#	A wrong clock that has used both planes far in the future stops
#	generation, across restarts, until another partition and sno_reset() free it.
#	sno_reset(), and sno_restore() where ids were made, close the generator until
#	the server restarts, also for a call that has claimed more.
use strict;
use warnings FATAL => 'all';

use SnoTest;
use SnoTrouble;

my $closed = qr/the generator of snos is closed until the server restarts.*HINT:  Restart the server/s;
my @calls = ('sno_generate()', 'sno_generate(0, now())', 'sno_generate_many(2)',
	'sno_generate_array(2)', 'sno_resolved(sno_min(), false)');
my $year_s = 365 * 86400;
my $clock = new_clock('server');
my $server = new_server('reset', settings => preload('sno.partition' => 7), clock => $clock);
my @files;

# 200,000 ids, for a file
sub generate
{
	push @files, ids_file('ids_' . @files);
	return run_sessions({ server => $server, output => $files[-1],
		sql => "COPY (SELECT sno_generate_many(200000)) TO STDOUT;\n" });
}

# said(SQL): what a statement answers beside its rows
sub said
{
	my ($sql) = @_;
	my $said;

	$server->psql('postgres', $sql, stderr => \$said);
	return $said;
}

# is_closed(NAME): no call makes an id, or says up to which id all are resolved; but a
# snapshot can be taken
sub is_closed
{
	my ($name) = @_;

	is_error($server, 'postgres', "SELECT $_", '55000', $closed, "$name: no $_") foreach @calls;
	is(query($server, 'SELECT sno_snapshot() IS NOT NULL'), 't', "$name: but a snapshot");
	return;
}

generate();
query($server, 'SELECT sno_reset()');
$clock->run(sub { $server->restart });
generate();

# A year ahead and back, and two years ahead and back
$clock->set($year_s);
generate();
$clock->set(0);
is(query($server, 'SELECT sno_tick_tock(sno_generate()), step_backs FROM sno_stat()'), 't|0',
	'after one jump ahead ids go on in the other plane');
$clock->set(2 * $year_s);
generate();
my $bound = query($server, 'SELECT sno_resolved(tick_tock => plane = 1) FROM sno_stat()');
$clock->set(0);
is(query($server, 'SELECT plane, other_plane_until > now() + interval \'364 days\' FROM sno_stat()'), '1|t',
	'sno_stat shows that the first one is taken for a year');
is_error($server, 'postgres', 'SELECT sno_generate()', '55000',
	qr/too far behind.*DETAIL:  It is 630\d{5} s behind.*restart .* with another sno.partition .*call sno_reset\(\)/s,
	'after the second there is no plane to go on in');

# Neither a restart helps, nor another partition on its own
$clock->run(sub { configure($server, preload('sno.partition' => 8, restart_after_crash => 'on')) });
is_error($server, 'postgres', 'SELECT sno_generate()', '55000', qr/It is 630\d{5} s behind/,
	'after a restart with another partition there is none either');

# The reset closes the generator for all
{
	like(said('SELECT sno_reset()'),
		qr/WARNING:  discarded sno reservations ahead.*will be generated again unless.*HINT:  Restart the server/s,
		'sno_reset says what it does');
	is_closed('after the reset');
	like(said('SELECT sno_reset()'), qr/WARNING:  discarded/, 'sno_reset can be called again');

	# Shared memory is made anew, with the settings of the last start
	kill 9, query($server, q(SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'));
	wait_until($server, 'last_tick IS NULL FROM sno_stat()');
	is(query($server, 'SELECT sno_partition(sno_generate())'), '8',
		'after the crash of a process, ids are made in the new partition');
	is(query($server, q(SELECT sno_timestamp(sno_generate()) - now() BETWEEN '-5 ms' AND '15 s')), 't',
		'after the crash of a process, ids are at most 15 s ahead of the clock');
	is_error($server, 'postgres', "SELECT sno_resolved('$bound', plane = 1) FROM sno_stat()",
		'55000', qr/cursor is ahead of what this server has resolved.*HINT/s,
		'after the reset, a reader with a cursor from before is told');
	generate();
}

# A restore where ids were made: by then the record is raised
{
	my $ahead = <<'EOF';
SELECT sno_restore(jsonb_set(jsonb_set(snapshot, '{planes,0,reserved}', hour_ahead), '{planes,1,reserved}', hour_ahead))
FROM (SELECT sno_snapshot()) AS taken (snapshot),
	to_jsonb((extract(epoch FROM now())::bigint - 1262304000 + 3600) * 250) AS hour_ahead
EOF

	generate();
	like(said('SELECT sno_restore(sno_snapshot())'), $closed, 'a restore where ids were made closes the generator');
	is_closed('after the restore');
	like(said('SELECT sno_restore(sno_snapshot())'), $closed, 'sno_restore can be called again');
	$clock->run(sub { $server->restart });
	like(said('SELECT sno_restore(sno_snapshot())'), qr/^\s*$/, 'a restore before the first id needs no restart');
	like(said(q{CREATE TABLE kept AS SELECT sno_lower_bound(now() + '14.9 s') AS id; SELECT sno_restore_from_tables()}),
		qr/NOTICE:  the greatest sno is(?!.*WARNING)/s, 'ids that are ahead by what a reset leaves are taken for true');
	is(query($server, q{SELECT sno_greatest('kept', '1', sno_max()) = id,
		sno_greatest(1, '1', sno_max()) IS NULL FROM kept}),
		't|t', 'a table that was dropped meanwhile has no id');
	generate();
	is(duplicates(@files), 0, 'after resets and restores, no id is duplicated');

	# Neither a rollback nor a crash undoes a mistake
	$clock->run(sub { $server->restart });
	like(said("BEGIN; $ahead; ROLLBACK"), qr/WARNING:  new snos will be 3[56]\d\d s ahead/,
		'sno_restore says how far ids will be ahead');
	crash_and_start($server, $clock);
	is(query($server,
		"SELECT sno_timestamp(sno_generate()) > now() + interval '58 min'; SELECT lead > 58 * 60000 FROM sno_stat()"), "t\nt",
		'ids are ahead by that much, after a rollback and a crash');
}

done_testing();

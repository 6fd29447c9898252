# tick_tock.pl
#	sno.tick_tock = off, on while the clock steps back, and off again, with sessions that
#	insert rows: a reader of one cursor, who reads while it is off, and one of two, who
#	always does, miss no row and read none twice; what readers are told at any time stays
#	true.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoTest;

use constant ROWS => 400;		# of a session and a phase

my $clock = SnoClock->new('server');
my $server = new_server('tick_tock', clock => $clock, settings => preload('sno.tick_tock' => 'off'));
my $session = 0;

query($server, <<'EOF');
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate());
CREATE TABLE cursors (reader text PRIMARY KEY, plane_0 sno NOT NULL, plane_1 sno NOT NULL);
CREATE TABLE seen (reader text, id sno);
INSERT INTO cursors VALUES ('one', sno_min(), sno_min()), ('two', sno_min(), sno_with_meta(sno_min(), 0));
UPDATE cursors SET plane_1 = sno_make('2010-01-01 00:00+00', tick_tock => true);
EOF

# One cursor: what both bounds have passed, whichever plane it is in
my $read_one = <<'EOF';
BEGIN;
SELECT least(sno_timestamp(resolved_0), sno_timestamp(resolved_1)) AS upto FROM sno_resolved_both() \gset
INSERT INTO seen SELECT 'one', event.id FROM event, cursors
WHERE reader = 'one' AND sno_timestamp(id) >= sno_timestamp(plane_0) AND sno_timestamp(id) < :'upto';
UPDATE cursors SET plane_0 = sno_lower_bound(:'upto') WHERE reader = 'one';
COMMIT;
EOF

my $read_two = <<'EOF';
BEGIN;
SELECT * FROM sno_resolved_both() \gset
INSERT INTO seen SELECT 'two', id FROM event, cursors
WHERE reader = 'two' AND (NOT sno_tick_tock(id) AND id >= plane_0 AND id < :'resolved_0'
	OR sno_tick_tock(id) AND id >= plane_1 AND id < :'resolved_1');
UPDATE cursors SET plane_0 = :'resolved_0', plane_1 = :'resolved_1' WHERE reader = 'two';
COMMIT;
EOF

# missed_and_twice(READER)
sub missed_and_twice
{
	my ($reader) = @_;

	return query($server, <<"EOF");
SELECT (SELECT count(*) FROM event WHERE id NOT IN (SELECT id FROM seen WHERE reader = '$reader')),
	(SELECT count(*) - count(DISTINCT id) FROM seen WHERE reader = '$reader')
EOF
}

foreach my $phase ([ 'off', 0 ], [ 'on', 20 ], [ 'on', 20 ], [ 'off', 5 ])
{
	my ($tick_tock, $back_s) = @$phase;
	my $polls = 0;
	my @sessions;

	$clock->run(sub { configure($server, preload('sno.tick_tock' => $tick_tock, max_prepared_transactions => 5)) });
	@sessions = start_sessions(
		map {
			{   server => $server,
				sql => join('', map { "INSERT INTO event DEFAULT VALUES;\n" . ($_ % 7 ? '' : "BEGIN; INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.01); ROLLBACK;\n") } 1 .. ROWS) }
		} 1 .. 3);
	while (grep { $_->{psql}->pumpable } @sessions)
	{
		query($server, $read_one) if $tick_tock eq 'off';
		query($server, $read_two);
		# Ahead first, to where neither plane is reserved
		$clock->set($clock->offset_s + 3 * $back_s) if $polls == 1;
		$clock->set($clock->offset_s - $back_s) if $polls++ == 3;
		$_->{psql}->pump_nb foreach grep { $_->{psql}->pumpable } @sessions;
	}
	finish_sessions(@sessions);
	cmp_ok($polls, '>', 5, "$tick_tock: readers read while rows are inserted");

	# One isolated row, settled at once
	query($server, 'INSERT INTO event DEFAULT VALUES');
	query($server, $read_one) if $tick_tock eq 'off';
	query($server, $read_two);
	is(missed_and_twice('two'), '0|0', "$tick_tock: with two cursors, no row is missed or read twice");
	is(missed_and_twice('one'), '0|0', "$tick_tock: nor with one") if $tick_tock eq 'off';
}
is(query($server, 'SELECT bool_or(sno_tick_tock(id)), bool_or(NOT sno_tick_tock(id)) FROM event'), 't|t', 'ids are in both planes');

done_testing();

# tick_tock.pl
#	sno.tick_tock = off, on while the clock steps back, and off again, with sessions that
#	insert rows: a reader of one cursor, who reads while it is off, and one of two, who
#	always does, miss no row and read none twice; what readers are told at any time stays
#	true.
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoReaders;
use SnoTest;

use constant ROWS => 400;		# of a session and a phase

my $clock = SnoClock->new('server');
my $server = new_server('tick_tock', clock => $clock, settings => preload('sno.tick_tock' => 'off'));
my $session = 0;

query($server, 'CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate())');
new_readers($server, 'in order' => ['one'], both => ['two']);
my $read_one = poll('in order', 'one');
my $read_two = poll('both', 'two');

foreach my $phase ([ 'off', 0 ], [ 'on', 20 ], [ 'on', 20 ], [ 'off', 5 ])
{
	my ($tick_tock, $back_s) = @$phase;
	my $polls = 0;
	my @sessions;

	$clock->run(sub { configure($server, preload('sno.tick_tock' => $tick_tock, max_prepared_transactions => 5)) });
	# Again, if a busy machine let the rows in before the readers
	do
	{
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
	} while ($polls <= 5);

	# One isolated row, settled at once
	query($server, 'INSERT INTO event DEFAULT VALUES');
	query($server, $read_one) if $tick_tock eq 'off';
	query($server, $read_two);
	is_read_once($server, 'two', "$tick_tock, two cursors", 'planes');
	is_read_once($server, 'one', "$tick_tock, one cursor", 'ids') if $tick_tock eq 'off';
}
is(query($server, 'SELECT bool_or(sno_tick_tock(id)), bool_or(NOT sno_tick_tock(id)) FROM event'), 't|t', 'ids are in both planes');

done_testing();

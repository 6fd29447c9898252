# snapshot.pl
#	A new cluster with the partition of an old one makes none of its ids, once
#	it has restored the old one's snapshot, although its clock is a second behind
#	and it crashes.  One that is an hour behind is for pg_upgrade.pl; restores
#	at work are proved (prove_restore).
use strict;
use warnings FATAL => 'all';

use Test::More;

use SnoClock;
use SnoLoad;
use SnoTest;

my $settings = preload('sno.partition' => 77);
my $planes = 'SELECT sno_snapshot() #- $${clock}$$';
my $clock = SnoClock->new('new');
my $server = new_server('old', settings => $settings);
my @old = load($server, 'old');
my $restore = query($server, 'SELECT format($$SELECT sno_restore(%L)$$, sno_snapshot())');
my $end_s = $clock->now_s;
my $before;

$server->stop;
$server = new_server('new', settings => $settings, clock => $clock);
$before = query($server, $planes);
is_error($server, 'postgres', $restore =~ s/"reserved": \K/-/r, '22023', qr/invalid snapshot/, 'a wrong snapshot is refused');
is(query($server, $planes), $before, 'and nothing has changed');

# Before the first id
query($server, "BEGIN; $restore; ROLLBACK");
crash($server);
$clock->set_to($end_s - 1);
$clock->run(sub { $server->start });
is_reserved($server, 'the old ids stay reserved', map { output_of("tail -n 1 $_") } @old);
goes_on($server, 'a second behind, after a rollback and a crash', @old);
unlink @old;

done_testing();

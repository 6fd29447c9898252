# SnoTrouble.pm
#	What servers go through: a wall clock of their own, which a test can move while
#	they run, and crashes.  And what they have on record then.
#
# A server with a clock runs under libfaketime, which reads from a file how far off the clock
# is to be.  Clocks that measure a duration are left alone.
#
#	my $clock = new_clock('primary');
#	$clock->run(sub { $server->start });	# and each later start
#	$clock->set(-3600);						# seconds, from the true time
package SnoTrouble;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Time::HiRes qw(time);

use SnoTest;

our @EXPORT = qw(new_clock crash_and_start first_id wait_until_reserving is_reserved log_lines);

sub new_clock
{
	my ($name) = @_;
	my ($library) = glob('/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1');
	my $clock = bless { library => $library, file => ids_file("clock_$name") };

	die "libfaketime is not there\n" if !defined $library;
	$clock->set(0);
	return $clock;
}

# Moves the clock this many seconds away from the true time
sub set
{
	my ($clock, $offset_s) = @_;

	set_file($clock->{file}, sprintf("%+.6fs\n", $offset_s));
	$clock->{offset_s} = $offset_s;
	return;
}

# Moves it by this many seconds
sub move
{
	my ($clock, $s) = @_;

	return $clock->set($clock->{offset_s} + $s);
}

# The time it shows, in seconds since 1970
sub now_s
{
	return time + $_[0]->{offset_s};
}

# Moves it to this time
sub set_to
{
	my ($clock, $s) = @_;

	return $clock->set($s - time);
}

# Runs the code and moves the clock back by what it took: to whoever asks
# afterwards, it stood still meanwhile
sub stand_still
{
	my ($clock, $code) = @_;
	my $s = $clock->now_s;

	$code->();
	return $clock->set_to($s);
}

# Whatever the code starts lives by this clock
sub run
{
	my ($clock, $code) = @_;

	local @ENV{qw(LD_PRELOAD FAKETIME_TIMESTAMP_FILE FAKETIME_NO_CACHE FAKETIME_DONT_FAKE_MONOTONIC)} =
	  (@$clock{qw(library file)}, 1, 1);
	return $code->();
}

# crash_and_start(SERVER, CLOCK, [SECONDS]): an immediate shutdown, which is a crash to what
# comes after; starts again, as if at that moment, or this much earlier
sub crash_and_start
{
	my ($server, $clock, $back_s) = @_;

	$clock->stand_still(sub { $server->stop('immediate') });
	$clock->move(-($back_s // 0));
	$clock->run(sub { $server->start });
	return;
}

# first_id(SERVER): as soon as the server accepts connections, an id, and its plane
sub first_id
{
	my ($server) = @_;

	wait_until($server, 'true');
	return split /\|/, query($server, 'SELECT id, sno_tick_tock(id) FROM sno_generate() AS id');
}

# Until the next call has to reserve
sub wait_until_reserving
{
	my ($server) = @_;

	return wait_until($server, 'reserved_until < clock_timestamp() FROM sno_stat()');
}

# log_lines(SERVER, PATTERN): how many messages of the server's log match that
# are not errors of a session
sub log_lines
{
	my ($server, $pattern) = @_;

	return scalar grep { /LOG:  .*$pattern/ } split /\n/, slurp_file($server->logfile);
}

# is_reserved(SERVER, NAME, ID, ...): are these ids covered by the record?
sub is_reserved
{
	my ($server, $name, @ids) = @_;
	my $values = join ', ', map { "(sno '$_')" } @ids;

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is($server->safe_psql('postgres', <<"EOF"), '', $name);
SELECT id, ticks, plane, sno_snapshot()
FROM (VALUES $values) AS ids (id),
	LATERAL (SELECT (extract(epoch FROM sno_timestamp(id)) - 1262304000) * 250,
		sno_tick_tock(id)::int) AS parts (ticks, plane)
WHERE ticks > (sno_snapshot()->'planes'->plane->>'reserved')::bigint
EOF
}

1;

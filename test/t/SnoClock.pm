# SnoClock.pm
#	A wall clock of its own for a server, which a test can move while the server
#	runs.
#
# The server runs under libfaketime, which reads how far off its clock is to be
# from a file whenever the server reads the clock.  Clocks that measure a
# duration are left alone.
#
#	my $clock = SnoClock->new('primary');
#	$clock->run(sub { $server->start });	# and each later start
#	$clock->set(-3600);						# seconds, from the true time
package SnoClock;

use strict;
use warnings FATAL => 'all';

use Time::HiRes qw(time);

use SnoTest;

sub new
{
	my ($class, $name) = @_;
	my ($library) = glob(
		'/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1');
	my $clock = bless { library => $library, file => ids_file("clock_$name") }, $class;

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

# What it was set to last
sub offset_s
{
	my ($clock) = @_;

	return $clock->{offset_s};
}

# The time it shows, in seconds since 1970
sub now_s
{
	my ($clock) = @_;

	return time + $clock->{offset_s};
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

	local $ENV{LD_PRELOAD} = $clock->{library};
	local $ENV{FAKETIME_TIMESTAMP_FILE} = $clock->{file};
	local $ENV{FAKETIME_NO_CACHE} = 1;
	local $ENV{FAKETIME_DONT_FAKE_MONOTONIC} = 1;
	return $code->();
}

1;

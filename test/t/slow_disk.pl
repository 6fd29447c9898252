# slow_disk.pl
#	A disk that takes nearly as long as a reservation reaches delays a call by
#	one flush or two, not by one after the other.  A call whose flushes take
#	longer than sno.wait_timeout ends then, can be cancelled before, and costs
#	no id its uniqueness.
#
# The server's fdatasync() is that of slow_disk.c.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(max);
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	CALLS => 10,
	SLOW_MS => 900,				# a reservation reaches 1 s to 1.5 s
	TOO_SLOW_MS => 2000,
};

my $library = ids_file('slow_disk.so');
my $delay_file = ids_file('delay');
my $reservations = 'SELECT reservations FROM sno_stat';
my $server;
my @ids;

# As a name for another file, so that none is read half-written
sub set_delay
{
	my ($ms) = @_;

	unlink "$delay_file.new";
	append_to_file("$delay_file.new", "$ms\n");
	rename("$delay_file.new", $delay_file) or die "$delay_file: $!";
	return;
}

# Until the next call has to reserve
sub wait_until_reserving
{
	$server->poll_query_until('postgres', 'SELECT durable_until < clock_timestamp() FROM sno_stat')
	  or die 'what is reserved does not end';
	return;
}

system_or_bail('gcc', '-O2', '-fPIC', '-shared', '-Wall', '-Werror',
	"$FindBin::RealBin/slow_disk.c", '-o', $library);
set_delay(0);
{
	local $ENV{LD_PRELOAD} = $library;
	local $ENV{SLOW_DISK} = $delay_file;
	$server = new_server('slow_disk',
		settings => { fsync => 'on', 'wal_sync_method' => 'fdatasync', wal_writer_delay => '10s' });
}
my $session = $server->background_psql('postgres');
push @ids, $session->query_safe('SELECT sno_generate()');

# Flushes that leave little of what they reserved, or nothing if they take a
# little longer
{
	my @flushes;

	wait_until_reserving();
	set_delay(SLOW_MS);
	foreach (1 .. CALLS)
	{
		my $before = $server->safe_psql('postgres', $reservations);

		push @ids, $session->query_safe('SELECT sno_generate()');
		push @flushes, $server->safe_psql('postgres', $reservations) - $before;
	}
	is_error($server, 'postgres', "SET sno.wait_timeout = '800ms'; SELECT count(sno_generate_array(20000000))",
		'55P03', qr/Reserving ids on disk takes too long/,
		'a slow disk: the flushes of one call add up to sno.wait_timeout');
	is_error($server, 'postgres', "SET statement_timeout = '1s'; SELECT count(sno_generate_array(20000000))",
		'57014', qr/statement timeout/, 'a slow disk: such a call can be cancelled');
	set_delay(0);
	cmp_ok(max(@flushes), '<=', 2, "a slow disk: calls reserve once or twice (@flushes)");
}

# Flushes that leave nothing
{
	wait_until_reserving();
	set_delay(TOO_SLOW_MS);
	is_error($server, 'postgres', "SET sno.wait_timeout = '1s'; SELECT sno_generate()",
		'55P03', qr/Reserving ids on disk takes too long/,
		'too slow a disk: sno.wait_timeout ends the call');
	is_error($server, 'postgres', "SET statement_timeout = '1s'; SELECT sno_generate()",
		'57014', qr/statement timeout/, 'too slow a disk: a call can be cancelled');
	set_delay(0);
	push @ids, $session->query_safe('SELECT sno_generate()');
}

$session->quit;
my %seen = map { $_ => 1 } @ids;
is(scalar keys %seen, CALLS + 2, 'no id comes twice');

done_testing();

# split.pl
#	The counting of duplicates sees them: a generator that keeps time and
#	sequence in two atomics is caught by what clears sno's.
use strict;
use warnings FATAL => 'all';

use File::Copy;
use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 8,
	IDS => 250_000,
	ROUNDS => 10,
};

my $server = new_server('split');
my $build = PostgreSQL::Test::Utils::tempdir();
my @files = map { ids_file("ids_$_") } 1 .. SESSIONS;

copy("$FindBin::RealBin/modules/$_", $build) or die "$_: $!" foreach qw(Makefile split.c);
system_or_bail('make', '-s', '-C', $build, 'split.so',
	"SNO_SRC=$FindBin::RealBin/../../src");
$server->safe_psql('postgres', <<"EOF");
CREATE FUNCTION split_generate(integer) RETURNS sno
	AS '$build/split', 'split_generate' LANGUAGE C VOLATILE STRICT;
EOF

sub duplicates_of
{
	my ($function) = @_;

	run_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				sql => 'COPY (SELECT ' . $function
				  . '(0) FROM generate_series(1, ' . IDS . ")) TO STDOUT;\n",
				output => $_ }
		} @files);
	is(id_count(@files), SESSIONS * IDS, "$function: every id arrives");
	return duplicates(@files);
}

my $found = 0;
my $round = 0;
while ($found == 0 && $round++ < ROUNDS)
{
	$found = duplicates_of('split_generate');
	note "round $round: $found duplicates";
}
cmp_ok($found, '>', 0, 'two atomics give ids twice, and it is seen');
is(duplicates_of('sno_generate'), 0, 'one atomic does not');

done_testing();

#!/usr/bin/env perl
# count.pl
#	Counts the instructions of the hot paths: a change that makes one take a third more
#	is seen, and nothing is timed.
#
# Usage: SUITE=instructions test/run
#
# Why instructions: a time needs a quiet machine and many rounds to tell a tenth;
# a count is the same on a busy one, and on every run.  It does not know which
# instructions wait, so the dear ones are counted by themselves: readings of the
# clock, and locked instructions.
#
# What: a backend in single-user mode runs under callgrind, each statement twice,
# and the second run counts, so that the cost of first calls does not.  A
# function's count is all that happens from its call to its return, palloc and
# what else it calls included.  What ends a count is a prepared statement, as it would
# be planned too.
#
# Ids are made by a clock of ours (clock.c), nearly all in one tick.  Each call makes a
# claim, which is also counted by itself.
#
# Each count is given with the most that it may be: 1.3 times what it was with gcc 12
# or 16, whichever was more, as it depends on the compiler.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

my $rows = 10000;
my $array_ids = 100000;
my $transactions = 500;
# Callgrind writes what it has before a call of this, and starts from zero
my $marker = 'sno_stat_reset';

plan skip_all => 'the counts are those of x86_64' if `uname -m` ne "x86_64\n";
plan skip_all => 'the server spends its instructions on assertions'
  if `pg_config --configure` =~ /enable-cassert/;

my $server = PostgreSQL::Test::Cluster->new('instructions');
my $folder = $server->basedir;
$server->init(extra => [ '--no-locale', '--encoding=UTF8' ]);
$server->append_conf('postgresql.conf', <<'EOS');
shared_preload_libraries = 'sno'
sno.partition_count = 8
jit = off
max_parallel_workers_per_gather = 0
log_statement = none
EOS
$server->start;
# The partitions have doubled since they were analyzed
$server->safe_psql('postgres', <<"EOS");
CREATE EXTENSION sno;
CREATE TABLE event AS
	SELECT id, lag(id, 1, id) OVER (ORDER BY id) AS previous, id::text AS text
	FROM generate_series(1, $rows) i,
		sno_make(timestamptz '2026-01-01 00:00+00' + i * interval '1 s', i % 256, i, i) id;
CREATE TABLE received (id sno);
COPY event (id) TO '$folder/event' (FORMAT binary);
CREATE TABLE parted (id sno PRIMARY KEY) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%L) TO (%L)',
		n, sno_lower_bound(at), sno_lower_bound(at + interval '1000 s'))
	FROM generate_series(0, $rows / 1000) n,
		LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1000 s' AS at) s \\gexec
INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 < 500;
CREATE TABLE planned (id sno PRIMARY KEY);
INSERT INTO planned SELECT sno_make(timestamptz '2026-01-01 00:00+00' + i * interval '1 s', sequence => i % 65536)
	FROM generate_series(1, 100000) i;
VACUUM ANALYZE;
INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 >= 500;
CHECKPOINT;
EOS
$server->stop;

system_or_bail('gcc', qw(-std=gnu11 -O2 -fPIC -shared -Wall -Wextra -Werror),
	"$FindBin::RealBin/clock.c", '-o', "$folder/clock.so");

my @statements = "PREPARE marker AS SELECT $marker()";
my $parts = 0;
my $profile;
my @counts;

# part(STATEMENT): what the counts that follow are taken in
sub part
{
	my ($statement) = @_;

	# Both runs end with a marker
	$profile = 'profile.' . 2 * ++$parts;
	push @statements, ($statement, 'EXECUTE marker') x 2;
	return;
}

# count(AT_MOST, NAME, EVENT, FUNCTION, PER): the calls, instructions or locks of a
# function, for each call of another one, or for each of that number of ids
sub count
{
	push @counts, [ $profile, @_ ];
	return;
}

# part_of(AT_MOST, FUNCTION, STATEMENT): and the function's instructions a call
sub part_of
{
	my ($at_most, $function, $statement) = @_;

	part($statement);
	count($at_most, "$function: instructions", 'instructions', $function, $function);
	return;
}

# each_row(EXPRESSION, SOURCE): a statement that evaluates it for each row
sub each_row
{
	my ($expression, $source) = @_;

	return "SELECT count(x) FROM (SELECT $expression AS x FROM $source OFFSET 0) s";
}

part_of(420, 'sno_generate', each_row('sno_generate(0)', "generate_series(1, $rows)"));
count(1, 'sno_generate: readings of the clock', 'calls', 'clock_gettime', 'sno_generate');
count(1, 'sno_generate: locked instructions', 'locks', 'sno_generate', 'sno_generate');
count(250, 'claim: instructions', 'instructions', 'sno_claim', 'sno_claim');
count(1, 'claim: locked instructions', 'locks', 'sno_claim', 'sno_claim');
part(join "\n", ('SELECT sno_generate(0)') x $transactions);
count(105, 'end of a transaction: instructions', 'instructions', 'at_transaction_event', $transactions);
part_of(465, 'sno_generate_many', "SELECT count(*) FROM (SELECT sno_generate_many($rows) OFFSET 0) s");
part("SELECT cardinality(sno_generate_array($array_ids))");
count(33, 'sno_generate_array, an id: instructions', 'instructions', 'sno_generate_array', $array_ids);
count(0.021, 'sno_generate_array, an id: readings of the clock', 'calls', 'clock_gettime', $array_ids);

part_of(210, 'sno_out', each_row('id::text', 'event'));
part_of(280, 'sno_in', each_row('text::sno', 'event'));
part_of(310, 'sno_send', "COPY event (id) TO '/dev/null' (FORMAT binary)");
part_of(165, 'sno_recv', "COPY received FROM '$folder/event' (FORMAT binary)");
part_of(17, 'sno_cmp', each_row('sno_cmp(id, previous)', 'event'));
part_of(11, 'sno_eq', each_row('sno_eq(id, previous)', 'event'));
part_of(77, 'sno_hash', each_row('sno_hash(id)', 'event'));
part("SELECT id FROM event ORDER BY id OFFSET $rows");
count(155, 'sort, an abbreviation: instructions', 'instructions', 'abbreviate', 'abbreviate');

# Planning as a whole, of a range within a table; and where a bound of many partitions
# lies outside of most
part("EXPLAIN SELECT FROM planned "
	. "WHERE id >= timestamptz '2026-01-01 10:00+00' AND id < timestamptz '2026-01-01 11:00+00'");
count(81_000, 'a range planned: instructions', 'instructions', 'standard_planner', 'standard_planner');
part_of(10_000, 'sno_sel',
	"EXPLAIN SELECT FROM parted WHERE id >= timestamptz '2025-01-01' AND id < timestamptz '2027-01-01'");

# A condition of 6,000 clauses, which are estimated at once: what is looked at for one
# does not grow with them.
# Not of a column with an index, for which 18 alone plans such a one for minutes.
my $second = 0;
my $clause = q{id < timestamptz '2026-01-01 01:25+00' + interval '%d s'};
my $either = '(' . join(' OR ', ($clause) x 2) . ')';
my $all = '(' . join(' AND ', ($either) x 60) . ')';
part('EXPLAIN SELECT FROM event WHERE ' . join(' OR ', ($all) x 50) =~ s/%d/$second++/ger);
count(19_600, 'sno_sel, one of 6,000: instructions', 'instructions', 'sno_sel', 6000);

# Said to single-user mode under callgrind.  An error in one of them is the end.
append_to_file("$folder/statements", join '', map { "$_\n" } @statements);
system("cd '$folder' && LD_PRELOAD='$folder/clock.so' valgrind -q --tool=callgrind --dump-line=no "
	  . "--compress-strings=no "
	  . "--collect-bus=yes --callgrind-out-file=profile --dump-before=$marker "
	  . 'postgres --single -D ' . $server->data_dir . ' postgres <statements >/dev/null 2>log');
my ($code, $log) = ($?, slurp_file("$folder/log"));
BAIL_OUT($log) if $code != 0 || $log =~ /(ERROR|FATAL|PANIC): /;

foreach (@counts)
{
	my ($file, $at_most, $name, $event, $function, $per) = @$_;
	my %found;

	# A profile has a function with each caller: its name, a line with the number of
	# calls, and one with what they cost, all callees included
	my $text = slurp_file("$folder/$file");
	while ($text =~ /^cfn=($function|$per)\ncalls=(\d+).*\n\S+ (\d+)(?: (\d+))?/mg)
	{
		$found{$1}{calls} += $2;
		$found{$1}{instructions} += $3;
		$found{$1}{locks} += $4 // 0;
	}
	my $calls = $per =~ /^\d+$/ ? $per : $found{$per}{calls};

	fail("$name: never called"), next if !$found{$function} || !$calls;
	my $count = sprintf '%.4g', $found{$function}{$event} / $calls;
	cmp_ok($count, '<=', $at_most, "$name $count, at most $at_most");
}
done_testing();

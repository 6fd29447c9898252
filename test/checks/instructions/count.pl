#!/usr/bin/env perl
# count.pl
#	Counts the instructions of the hot paths beside what was stored: a change
#	that doubles the work of one is seen, and nothing is timed.
#
# Usage: SUITE=instructions [KEEP=1] test/run
#
# A count above its bound fails.  What was counted is left in tmp_check/counts.tsv
# of the copy that KEEP=1 keeps: with the lines of this architecture and version of
# gcc in place of the ones before, the baseline for the next time.
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
# Ids are made in statements of many rows, by a clock of ours (clock.c): from leases
# that double up to sno.lease_limit, nearly all in one tick.  A statement of one row
# is a call with a claim of its own; a claim is counted beside.
#
# What comes out depends on the compiler, twice as much for some functions, and
# a little on the server.  A version of gcc without a baseline is held to the
# highest one of the architecture.  What is far below the baseline is only
# remarked upon: store it, so that it is not lost unseen.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(max sum);
use Test::More;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# How many times the baseline a count may be.  Well below 2, because part of a
# function's work is the server's: palloc alone is two fifths of sno_generate.
my $bound = 1.3;
my $rows = 10000;
my $array_ids = 100000;
my $transactions = 500;
# Callgrind writes what it has before a call of this, and starts from zero
my $marker = 'sno_stat_reset';

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
# Ids of as many times, and few ids in no order, of which a sort compares most in
# full, as their abbreviations are equal.  The partitions have doubled since they
# were analyzed.
$server->safe_psql('postgres', <<"EOS");
CREATE EXTENSION sno;
CREATE TABLE event AS
	SELECT id, lag(id, 1, id) OVER (ORDER BY id) AS previous, id::text AS text, sno_timestamp(id) AS at
	FROM generate_series(1, $rows) i,
		sno_make(timestamptz '2026-01-01 00:00+00' + i * interval '1 s', i % 256, i, i) id;
CREATE TABLE few AS
	SELECT sno_make(timestamptz '2026-01-01 00:00+00', sequence => i * 37 % 101) AS id
	FROM generate_series(1, $rows) i;
CREATE TABLE received (id sno);
COPY event (id) TO '$folder/event' (FORMAT binary);
CREATE TABLE parted (id sno PRIMARY KEY) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE parted_%s PARTITION OF parted FOR VALUES FROM (%L) TO (%L)',
		n, sno_lower_bound(at), sno_lower_bound(at + interval '1000 s'))
	FROM generate_series(0, $rows / 1000) n,
		LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '1000 s' AS at) s \\gexec
INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 < 500;
CREATE TABLE planned_sno (key sno PRIMARY KEY);
INSERT INTO planned_sno SELECT sno_make(timestamptz '2026-01-01 00:00+00' + i * interval '1 s', sequence => i % 65536) FROM generate_series(1, 100000) i;
CREATE TABLE planned_time (key timestamptz PRIMARY KEY);
INSERT INTO planned_time SELECT sno_timestamp(key) FROM planned_sno;
CREATE TABLE planned_bigint (key bigint PRIMARY KEY);
INSERT INTO planned_bigint SELECT generate_series(1, 100000);
VACUUM ANALYZE;
INSERT INTO parted SELECT id FROM event WHERE sno_sequence(id) % 1000 >= 500;
CHECKPOINT;
EOS
$server->stop;

system_or_bail('gcc', qw(-std=gnu11 -O2 -fPIC -shared -Wall -Wextra -Werror),
	"$FindBin::RealBin/clock.c", '-o', "$folder/clock.so");

my $callgrind = '--tool=callgrind --dump-line=no --compress-strings=no';

# backend(STATEMENT...): says the statements to single-user mode under callgrind.  An
# error in one of them is the end.
sub backend
{
	my (@statements) = @_;

	append_to_file("$folder/statements", join '', map { "$_\n" } @statements);
	system("cd '$folder' && LD_PRELOAD='$folder/clock.so' valgrind -q $callgrind --collect-bus=yes "
		  . "--callgrind-out-file=profile --dump-before=$marker "
		  . 'postgres --single -D ' . $server->data_dir . ' postgres <statements >/dev/null 2>log');
	my ($code, $log) = ($?, slurp_file("$folder/log"));
	BAIL_OUT($log) if $code != 0 || $log =~ /(ERROR|FATAL|PANIC): /;
	return;
}

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

# count(NAME, EVENT, FUNCTION, PER): the calls, instructions or locks of a function,
# for each call of another one, or for each of that number of ids
sub count
{
	push @counts, [ $profile, @_ ];
	return;
}

# repeat(TIMES, OPERATOR, CLAUSE): that clause between operators
sub repeat
{
	my ($times, $operator, $clause) = @_;

	return '(' . join($operator, ($clause) x $times) . ')';
}

# part_of(FUNCTION, STATEMENT): and the function's instructions a call
sub part_of
{
	my ($function, $statement) = @_;

	part($statement);
	count("$function: instructions", 'instructions', $function, $function);
	return;
}

# each_row(EXPRESSION, SOURCE): a statement that evaluates it for each row
sub each_row
{
	my ($expression, $source) = @_;

	return "SELECT count(x) FROM (SELECT $expression AS x FROM $source OFFSET 0) s";
}

part_of('sno_generate', each_row('sno_generate(0)', "generate_series(1, $rows)"));
count('sno_generate: readings of the clock', 'calls', 'clock_gettime', 'sno_generate');
count('sno_generate: locked instructions', 'locks', 'sno_generate', 'sno_generate');
count('claim: instructions', 'instructions', 'sno_claim', 'sno_claim');
# Optimized as a whole, as by Ubuntu's flags, the claim has the step in itself
count('claim: instructions of the step', 'instructions', 'sno_step_claim', 'sno_claim')
  if `pg_config --cflags` !~ /-flto/;
count('claim: locked instructions', 'locks', 'sno_claim', 'sno_claim');

part(join "\n", ('SELECT sno_generate(0)') x $transactions);
count('end of a transaction: instructions', 'instructions', 'at_transaction_event', $transactions);

part_of('sno_generate_many', "SELECT count(*) FROM (SELECT sno_generate_many($rows) OFFSET 0) s");
count('sno_generate_many: claims', 'calls', 'sno_claim', 'sno_generate_many');

part("SELECT cardinality(sno_generate_array($array_ids))");
count('sno_generate_array, an id: instructions', 'instructions', 'sno_generate_array', $array_ids);
count('sno_generate_array, an id: readings of the clock', 'calls', 'clock_gettime', $array_ids);

part_of('sno_out', each_row('id::text', 'event'));
part_of('sno_in', each_row('text::sno', 'event'));
part_of('sno_send', "COPY event (id) TO '/dev/null' (FORMAT binary)");
part_of('sno_recv', "COPY received FROM '$folder/event' (FORMAT binary)");

part_of($_, each_row("$_(id, previous)", 'event')) foreach qw(sno_lt sno_eq sno_cmp);
# The planner puts a comparison of ids in place of this one, but not for an array
part_of('sno_ge_timestamptz', each_row('id >= ANY (ARRAY[at])', 'event'));
part_of('sno_hash', each_row('sno_hash(id)', 'event'));

part("SELECT id FROM few ORDER BY id OFFSET $rows");
count('sort, an abbreviation: instructions', 'instructions', 'abbreviate', 'abbreviate');
count('sort, a comparison in full: instructions', 'instructions', 'compare_full', 'compare_full');

# A bound of many partitions lies outside of most, the bounds of a question within one
part("EXPLAIN SELECT FROM parted WHERE id >= timestamptz '2025-01-01' AND id < timestamptz '2027-01-01'");
count('sno_sel, bounds outside: instructions', 'instructions', 'sno_sel', 'sno_sel');
part("EXPLAIN SELECT FROM parted_5 WHERE id >= timestamptz '2026-01-01 01:25+00' AND id < timestamptz '2026-01-01 01:30+00'");
count('sno_sel, bounds within: instructions', 'instructions', 'sno_sel', 'sno_sel');

# Both bounds are put in at once: were the server to inline the operator, it would
# take ten times as many
part("EXPLAIN SELECT FROM event WHERE id <@ tstzrange '[2026-01-01 01:25+00,2026-01-01 01:30+00)'");
count('bounds of a range: instructions', 'instructions', 'eval_const_expressions', 'standard_planner');

# Planning as a whole, beside other types
foreach my $type (qw(sno time))
{
	part("EXPLAIN SELECT FROM planned_$type WHERE key >= timestamptz '2026-01-01 10:00+00' AND key < timestamptz '2026-01-01 11:00+00'");
	count("a range of $type planned: instructions", 'instructions', 'standard_planner', 'standard_planner');
}
part(q{EXPLAIN SELECT FROM planned_sno WHERE key = '9d6gji6222222222'});
count('a point of sno planned: instructions', 'instructions', 'standard_planner', 'standard_planner');
part('EXPLAIN SELECT FROM planned_bigint WHERE key = 50000');
count('a point of bigint planned: instructions', 'instructions', 'standard_planner', 'standard_planner');

# A condition of 6,000 clauses, which are estimated at once: what is looked at for one
# does not grow with them.
# Not of a column with an index, for which 18 alone plans such a one for minutes.
my $second = 0;
my $before = q{id < timestamptz '2026-01-01 01:25+00' + interval '%d s'};
part('EXPLAIN SELECT FROM event WHERE ' . repeat(50, ' OR ', repeat(60, ' AND ', repeat(2, ' OR ', $before)))
	=~ s/%d/$second++/ger);
count('sno_sel, one of 6,000: instructions', 'instructions', 'sno_sel', 6000);

backend(@statements);

# The calls of each function in a profile, and the instructions and locks of these.  It
# has them with the caller: the name of the function, a line with the number of calls,
# and one with what they cost, all callees included.
my %functions;
foreach my $profile (map { $_->[0] } @counts)
{
	next if $functions{$profile};
	my $text = slurp_file("$folder/$profile");

	while ($text =~ /^cfn=(.*)\ncalls=(\d+).*\n\S+ (\d+)(?: (\d+))?/mg)
	{
		my $function = $functions{$profile}{$1} //= { calls => 0, instructions => 0, locks => 0 };

		$function->{calls} += $2;
		$function->{instructions} += $3;
		$function->{locks} += $4 // 0;
	}
}

my $architecture = `uname -m`;
my $compiler = 'gcc ' . `gcc -dumpversion`;
chomp $architecture;
$compiler =~ s/[.\n].*//s;
my %stored;
foreach (split /\n/, slurp_file("$FindBin::RealBin/counts.tsv"))
{
	my ($where, $with, $name, $count) = split /\t/;

	$stored{$name}{$with} = $count if $where eq $architecture;
}

foreach (@counts)
{
	my ($profile, $name, $event, $pattern, $per) = @$_;
	my $called = $functions{$profile};
	my @found = map { $called->{$_}{$event} } grep { /^$pattern$/ } keys %$called;
	my $calls = $per =~ /^\d+$/ ? $per : $called->{$per}{calls};
	my $baseline = $stored{$name}{$compiler} // max(values %{ $stored{$name} // {} });

  SKIP:
	{
		skip("$name: no baseline for $architecture", 1) if !%stored;
		fail("$name: never called"), next if !@found || !$calls;
		my $count = sprintf '%.4g', sum(@found) / $calls;
		append_to_file("$PostgreSQL::Test::Utils::tmp_check/counts.tsv",
			"$architecture\t$compiler\t$name\t$count\n");
		fail("$name $count, which has no baseline: store it"), next if !defined $baseline;
		ok($count <= $baseline * $bound, sprintf '%s %s, baseline %s%s, at most %.4g', $name, $count,
			$baseline, defined $stored{$name}{$compiler} ? '' : ' (of another gcc)', $baseline * $bound);
		diag("$name: far below the baseline: store it")
		  if defined $stored{$name}{$compiler} && $count < $baseline / $bound;
	}
}
done_testing();

# estimated_count.pl
#	Counting in an index fails on nothing that it finds there: neither on what other
#	sessions make of the index meanwhile, nor on pages that are not as they should
#	be.  MINUTES=n lets the sessions work for longer; SEED=n repeats the damage.
use strict;
use warnings FATAL => 'all';

use List::Util qw(min shuffle);
use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	WRITERS => 8,
	READERS => 2,
	ROUNDS => 15 * ($ENV{MINUTES} // 0.2) * 5,
	PAGE => 8192,
	OPAQUE => 8192 - 16,		# the end of a B-tree page: neighbours, level, flags
};

seed_random();
my $server = new_server('estimated_count', settings => { ignore_checksum_failure => 'on', autovacuum => 'off' });

# Sessions that insert, delete and vacuum, each ids of its own among those of the
# others, so that pages are split and deleted everywhere; two count and plan until
# all have finished.
query($server, <<'EOS');
CREATE TABLE busy (id sno, n integer);
CREATE INDEX ON busy (id);
CREATE TABLE busy_down (id sno, n integer);
CREATE INDEX ON busy_down (id DESC);
CREATE TABLE finished (n integer);
CREATE FUNCTION at(n integer) RETURNS sno LANGUAGE sql IMMUTABLE AS $$SELECT sno_make(timestamptz '2026-10-01 00:00+00' + n * interval '1 s')$$;
EOS
my $reads = <<'EOS';
DO $$
DECLARE
	counted bigint;
	calls integer := 0;
	plan json;
BEGIN
	WHILE (SELECT count(*) FROM finished) < 8 LOOP
		FOR i IN 1..50 LOOP
			counted := sno_estimated_count(CASE i % 2 WHEN 0 THEN 'busy'::regclass ELSE 'busy_down' END, at((random() * 30000)::integer), at(30000 + (random() * 30000)::integer));
			IF counted NOT BETWEEN 0 AND 10000000 THEN
				RAISE 'counted %', counted;
			END IF;
			EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %I WHERE id >= %L::sno AND id < %L::sno', CASE i % 2 WHEN 0 THEN 'busy' ELSE 'busy_down' END, at((random() * 30000)::integer), at(30000 + (random() * 30000)::integer)) INTO plan;
			calls := calls + 1;
		END LOOP;
	END LOOP;
	RAISE WARNING 'calls: %', calls;
END
$$;
EOS
my @writes = map {
	my $session = $_;
	join '', (map {
		my $table = $_ % 2 ? 'busy' : 'busy_down';
		my $from = int(rand(50000));
		<<"EOS" } 1 .. ROUNDS), "INSERT INTO finished VALUES ($session);\n"
INSERT INTO $table SELECT at((random() * 60000)::integer), n FROM generate_series(1, 4000) n;
DELETE FROM $table WHERE id >= at($from) AND id < at($from + 10000);
VACUUM $table;
EOS
} 1 .. WRITERS;
run_sessions(
	(map { { server => $server, sql => $_ } } @writes),
	(map { { server => $server, sql => $reads } } 1 .. READERS));
pass('sessions insert, delete and vacuum while others count and plan: no error');

# An index of three levels, of which the pages are not what their parents say
query($server, <<'EOS');
CREATE TABLE damaged (id sno, n integer);
INSERT INTO damaged SELECT at(n), n FROM generate_series(1, 400000) n;
CREATE INDEX damaged_id ON damaged (id);
VACUUM ANALYZE damaged;
CHECKPOINT;
EOS
my $file = $server->data_dir . '/' . query($server, q{SELECT pg_relation_filepath('damaged_id')});
$server->stop;
my @pages = slurp_file($file) =~ /(.{8192})/gs;

sub level { return unpack 'L', substr($_[0], OPAQUE + 8, 4) }

# with_flags(PAGE, FLAGS): the page with these more
sub with_flags
{
	my ($page, $flags) = @_;

	substr($page, OPAQUE + 12, 2) = pack 'S', $flags | unpack 'S', substr($page, OPAQUE + 12, 2);
	return $page;
}

# with_level(PAGE, LEVEL)
sub with_level
{
	my ($page, $level) = @_;

	substr($page, OPAQUE + 8, 4) = pack 'L', $level;
	return $page;
}

my $root = (sort { level($pages[$b]) <=> level($pages[$a]) } 1 .. $#pages)[0];
is(level($pages[$root]), 2, 'an index of three levels');
my @leaves = grep { level($pages[$_]) == 0 } 1 .. $#pages;
my @inner = grep { level($pages[$_]) == 1 } 1 .. $#pages;
my %kinds = (
	'half-dead' => sub { with_flags($_[0], 16) },
	'deleted' => sub { with_flags($_[0], 4) },
	'new' => sub { "\0" x PAGE },
	'of another level' => sub { with_level($_[0], 1 - level($_[0])) });

# What is counted: from LOW to HIGH, in ids of 1 to 400000
my @ranges = map { my $low = 1000 * $_; map { [ $low, $low + 1000 * $_ ] } 1, 10, 100 } map { 1 + 13 * $_ } 0 .. 29;
my $ranges = join ', ', map { "($_->[0], $_->[1])" } @ranges;

# damage(BLOCKS, CHANGE): the counts with these pages changed
sub damage
{
	my ($blocks, $change) = @_;
	my @changed = @pages;
	my $output;

	$changed[$_] = $change->($pages[$_]) foreach @$blocks;
	set_file($file, join '', @changed);
	$server->start;
	$output = query($server, <<"EOS");
CREATE FUNCTION pg_temp.counted(low integer, high integer) RETURNS text LANGUAGE plpgsql AS \$\$
BEGIN
	RETURN sno_estimated_count('damaged', at(low), at(high));
EXCEPTION WHEN object_in_use THEN
	RETURN 'unknown';
END
\$\$;
SELECT pg_temp.counted(low, high) FROM (VALUES $ranges) v (low, high);
EOS
	$server->stop;
	return split /\n/, $output;
}

# is_right(RANGE, COUNT): to a tenth
sub is_right
{
	my ($range, $count) = @_;
	my $found = min($range->[1], 400001) - $range->[0];

	return $count =~ /^\d+$/ && abs($count - $found) <= $found / 10;
}

# A range is unknown if the leaf of one of its bounds is; the leaves that are left stand
# for those that are not
foreach my $kind (sort keys %kinds)
{
	my @of_leaves = damage(\@leaves, $kinds{$kind});
	my @of_inner = damage(\@inner, $kinds{$kind});
	my @of_some = damage([ (shuffle @leaves)[ 0 .. @leaves / 20 ] ], $kinds{$kind});
	my @known = grep { $of_some[$_] ne 'unknown' } 0 .. $#ranges;

	is_deeply([ grep { $_ ne 'unknown' } @of_leaves, @of_inner ], [], "all leaves, or all pages above, $kind: unknown");
	cmp_ok(scalar @known, '>', @ranges / 2, "a twentieth of the leaves $kind: most are known");
	cmp_ok(scalar(grep { is_right($ranges[$_], $of_some[$_]) } @known), '>', @known * 0.9, "a twentieth of the leaves $kind: the others stand for them");
}

# Pages with other ids than their parents say, as if used again
my %moved;
my @places = shuffle @leaves;
@moved{@leaves} = @places;
my $next = 0;
my @of_moved = damage(\@leaves, sub { $pages[ $places[ $next++ ] ] });
is_deeply([ grep { !/^(\d+|unknown)$/ } @of_moved ], [], 'leaves of other ids: no error');
cmp_ok(scalar(grep { $_ eq 'unknown' } @of_moved), '>', 80, 'leaves of other ids: unknown');
set_file($file, join '', @pages);
$server->start;
is(query($server, q{SELECT sno_estimated_count('damaged', at(1000), at(1001))}), '1', 'as it was: exact');

# Temporary tables of other sessions, and what a standby does not have
my $other = $server->background_psql('postgres');
$other->query_safe('CREATE TEMP TABLE hidden (id sno PRIMARY KEY)');
my $hidden = query($server, q{SELECT oid FROM pg_class WHERE relname = 'hidden'});
is_error($server, 'postgres', "SELECT sno_estimated_count($hidden)", '0A000',
	qr/cannot access temporary tables of other sessions/, q{another session's temporary table: refused});
$other->quit;
done_testing();

# estimated_count.pl
#	Counting in an index fails on nothing that other sessions make of it meanwhile.
#	MINUTES=n lets them work for longer.
use strict;
use warnings FATAL => 'all';

use SnoTest;

use constant ROUNDS => 75 * ($ENV{MINUTES} // 0.2);

my $server = new_server('estimated_count');

# Sessions that insert, delete and vacuum, each ids of its own among those of the
# others, so that pages are split and deleted everywhere; two count and plan until
# all have finished.
query($server, <<'EOS');
CREATE TABLE busy (id sno, n integer);
CREATE INDEX ON busy (id);
CREATE TABLE busy_down (id sno, n integer);
CREATE INDEX ON busy_down (id DESC);
CREATE TABLE finished (n integer);
CREATE FUNCTION at(n float) RETURNS sno
	LANGUAGE sql IMMUTABLE AS $$SELECT sno_make(timestamptz '2026-10-01 00:00+00' + n * interval '1 s')$$;
EOS
my $reads = <<'EOS';
DO $$
DECLARE
	relation regclass;
	low sno;
	high sno;
	counted bigint;
	plan json;
BEGIN
	WHILE (SELECT count(*) FROM finished) < 8 LOOP
		FOREACH relation IN ARRAY '{busy,busy_down}'::regclass[] LOOP
			low := at(random() * 30000);
			high := at(30000 + random() * 30000);
			counted := sno_estimated_count(relation, low, high);
			IF counted NOT BETWEEN 0 AND 10000000 THEN
				RAISE 'counted %', counted;
			END IF;
			EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM %s WHERE id >= %L::sno AND id < %L::sno',
				relation, low, high) INTO plan;
		END LOOP;
	END LOOP;
END
$$;
EOS
my @writes = map {
	join '', (map {
		my $table = $_ % 2 ? 'busy' : 'busy_down';
		my $from = int(rand(50000));
		<<"EOS" } 1 .. ROUNDS), "INSERT INTO finished VALUES (1);\n"
INSERT INTO $table SELECT at(random() * 60000), n FROM generate_series(1, 4000) n;
DELETE FROM $table WHERE id >= at($from) AND id < at($from + 10000);
VACUUM $table;
EOS
} 1 .. 8;
run_sessions(map { { server => $server, sql => $_ } } @writes, ($reads) x 2);
pass('sessions insert, delete and vacuum while others count and plan: no error');

# Temporary tables of other sessions
my $other = $server->background_psql('postgres');
query($server, 'CREATE TABLE parent (id sno PRIMARY KEY); INSERT INTO parent VALUES (sno_min())');
$other->query_safe('CREATE TEMP TABLE heir (PRIMARY KEY (id)) INHERITS (parent)');
is(query($server, q{SELECT sno_estimated_count('parent')}), 1,
	q{what another session's temporary table inherits: left out});
is_error($server, 'postgres', q{SELECT sno_estimated_count(oid) FROM pg_class WHERE relname = 'heir'}, '0A000',
	qr/cannot access temporary tables of other sessions/, q{another session's temporary table: refused});
$other->quit;
done_testing();

# order.pl
#	An id of sno_generate() is greater than every id with the same metabyte that was made
#	before its call began, in any session.
#
# Seven sessions make ids in different ways at the same time.  Each id is between two
# numbers of a sequence, one drawn before its call and one after: what ended before
# another call began has the lower number there.
use strict;
use warnings FATAL => 'all';

use SnoTest;

my $server = new_server('order');
my $rows = ids_file('rows');

query($server, <<'EOF');
CREATE SEQUENCE turns;
CREATE UNLOGGED TABLE made (session int, began bigint DEFAULT nextval('turns'),
	id sno DEFAULT sno_generate(), ended bigint DEFAULT nextval('turns'));
EOF
set_file($rows, "1\n" x 50);

# What each session says, again and again
my @statements = (
	'INSERT INTO made VALUES (0)',
	"COPY made (session) FROM '$rows'",
	'INSERT INTO made SELECT 2 FROM generate_series(1, 20)',
	"INSERT INTO made SELECT 3, nextval('turns'), sno_generate(n % 2), nextval('turns') FROM generate_series(1, 20) AS n",
	# The ids of one call are greater than all that were made before it
	(map { <<"EOF" =~ s/\n/ /gr } 'sno_generate_array(20)', 'ARRAY(SELECT sno_generate_many(20))'),
WITH b AS MATERIALIZED (SELECT nextval('turns') AS began),
	a AS MATERIALIZED (SELECT began, $_ AS ids FROM b)
INSERT INTO made SELECT 4, began, id, nextval('turns') FROM a, unnest(ids) AS id
EOF
	'DO $$ BEGIN PERFORM pg_sleep(0.001); INSERT INTO made VALUES (5); END $$');

# Partitions of few ids, so that they go on in the next ones; and one that has enough
foreach my $settings ({ 'sno.sequence_max' => 15, 'sno.partition_count' => 8 }, {})
{
	my $name = %$settings ? 'eight partitions of 16 ids' : 'as installed';
	my ($ids, $inversions, $near);

	configure($server, %$settings ? preload(%$settings) : {});
	race_sessions(map { { server => $server, sql => "$_;\n" x 100 } } @statements);
	# An inversion is likely where an id has the same 4 ms as the highest one of before
	($ids, $inversions, $near) = split /\|/, query($server, <<'EOF');
WITH moments AS (
	SELECT began AS turn, sno_meta(id) AS meta, id, NULL::sno AS done FROM made
	UNION ALL SELECT ended, sno_meta(id), NULL, id FROM made),
before AS (
	SELECT id, max(done) OVER (PARTITION BY meta ORDER BY turn ROWS UNBOUNDED PRECEDING) AS done FROM moments)
SELECT count(*), count(*) FILTER (WHERE id <= done), count(*) FILTER (WHERE sno_timestamp(id) = sno_timestamp(done))
FROM before WHERE id IS NOT NULL
EOF
	query($server, 'TRUNCATE made');
	is($inversions, 0, "$name: no id is below one that was made before its call");
	cmp_ok($near, '>', 1000, "$name: of $ids ids, $near have the 4 ms of one before");
}

done_testing();

# order.pl
#	The order of ids across sessions is the one they were made in: with every
#	setting for statements of their own, and with leases of one slot also within
#	a statement.
#
# Sessions take turns under an advisory lock.  Whoever has the turn draws from
# a sequence, and makes an id; so the sequence knows in which order the ids
# were made.  A turn takes far less than the 4 ms within which the time cannot
# tell ids apart.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 4,
	TURNS => 1000,
};

my $server = new_server('order');
$server->safe_psql('postgres', <<'EOF');
CREATE SEQUENCE turns;
CREATE UNLOGGED TABLE made (turn bigint, session int, id sno);
EOF

# How many ids are not above the one made just before, how often the session
# changed, and how often it did so within 4 ms
sub inversions
{
	my ($name, $expected_ids) = @_;
	my ($ids, $inversions, $changes) = split /\|/, $server->safe_psql('postgres', <<'EOF');
SELECT count(*), count(*) FILTER (WHERE id <= before),
	count(*) FILTER (WHERE session <> session_before AND sno_timestamp(id) = sno_timestamp(before))
FROM (SELECT id, session, lag(id) OVER turns AS before, lag(session) OVER turns AS session_before
	FROM made WINDOW turns AS (ORDER BY turn)) AS t
EOF

	$server->safe_psql('postgres', 'TRUNCATE made');
	is($ids, $expected_ids, "$name: every id is there");
	cmp_ok($changes, '>', $expected_ids / 100,
		"$name: sessions come after one another within 4 ms");
	return $inversions;
}

# Each turn is a statement of its own, or more; pgbench runs them
sub statements_inversions
{
	my ($name, $mode, @generate) = @_;
	my $script = ids_file('turn.pgbench');
	my $ids = 0;
	my $insert = '';

	foreach my $generate (@generate)
	{
		my ($count, $from) = @$generate;

		$ids += $count;
		$insert .= "INSERT INTO made SELECT nextval('turns'), :client_id, $from;\n";
	}
	unlink $script;
	append_to_file($script, <<"EOF");
SELECT pg_advisory_lock(1);
${insert}SELECT pg_advisory_unlock(1);
EOF
	command_ok(
		[
			'pgbench', '-n', '-M', $mode,
			'-c', SESSIONS, '-t', TURNS,
			'-f', $script, $server->connstr('postgres')
		],
		"$name: sessions take turns");
	return inversions($name, SESSIONS * TURNS * $ids);
}

# Each session is one statement, with a turn in each pass of its loop
sub loops_inversions
{
	my ($name) = @_;
	my $turns = TURNS;

	race_sessions(
		map {
			{   server => $server,
				database => 'postgres',
				sql => <<"EOF" }
DO \$\$
BEGIN
	FOR i IN 1 .. $turns LOOP
		PERFORM pg_advisory_lock(1);
		INSERT INTO made SELECT nextval('turns'), $_, sno_generate_many(3);
		INSERT INTO made SELECT nextval('turns'), $_, unnest(sno_generate_array(3));
		INSERT INTO made SELECT nextval('turns'), $_, sno_generate();
		PERFORM pg_advisory_unlock(1);
	END LOOP;
END
\$\$;
EOF
		} 1 .. SESSIONS);
	return inversions($name, SESSIONS * TURNS * 7);
}

my $one = [ 1, 'sno_generate()' ];
my $four = [ 4, 'sno_generate() FROM generate_series(1, 4)' ];

foreach my $lease_limit (64, 4096, 1)
{
	my $leases = "leases of $lease_limit";

	configure($server, preload('sno.lease_limit' => $lease_limit));
	is(statements_inversions("$leases, one row", 'simple', $one),
		0, "$leases: single-row statements ascend across sessions");
	is(statements_inversions("$leases, one row prepared", 'prepared', $one),
		0, "$leases: single-row prepared statements ascend across sessions");

	# Four ids leave a lease with slots in it, for the next statement to drop
	is(statements_inversions("$leases, four rows and one", 'simple', $four, $one),
		0, "$leases: statements ascend across sessions after one that left slots over");
}

is(loops_inversions('leases of 1, loops'),
	0, 'leases of 1: ids made within statements ascend across sessions');

configure($server, preload());
cmp_ok(loops_inversions('leases of 64, loops'),
	'>', 0, 'longer leases do not promise that, and it is seen');

done_testing();

# order.pl
#	The order of ids across sessions is the one they were made in, so that none
#	is duplicated: with every setting for statements of their own, and with leases of one slot also within
#	a statement.
#
# Sessions take turns under an advisory lock.  Whoever has the turn draws from
# a sequence, and makes an id; so the sequence knows in which order the ids
# were made.  A turn takes far less than the 4 ms within which the time cannot
# tell ids apart.
use strict;
use warnings FATAL => 'all';

use List::Util qw(sum);
use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	SESSIONS => 4,
	TURNS => 1000,
};

my $server = new_server('order');
query($server, <<'EOF');
CREATE SEQUENCE turns;
CREATE UNLOGGED TABLE made (turn bigint, session int, id sno);
EOF

# How many ids are not above the one made just before; a test that all are there,
# and that the session often changed within 4 ms
sub inversions
{
	my ($name, $expected_ids) = @_;
	my ($ids, $inversions, $changes) = split /\|/, query($server, <<'EOF');
SELECT count(*), count(*) FILTER (WHERE id <= before),
	count(*) FILTER (WHERE session <> session_before AND sno_timestamp(id) = sno_timestamp(before))
FROM (SELECT id, session, lag(id) OVER turns AS before, lag(session) OVER turns AS session_before
	FROM made WINDOW turns AS (ORDER BY turn)) AS t
EOF

	query($server, 'TRUNCATE made');
	is($ids, $expected_ids, "$name: every id is there");
	cmp_ok($changes, '>', $expected_ids / 100,
		"$name: sessions come after one another within 4 ms");
	return $inversions;
}

# Each turn is a statement of its own, or more, of that number of ids; pgbench runs them
sub statements_ascend
{
	my ($name, $mode, @counts) = @_;
	my $script = ids_file('turn.pgbench');

	unlink $script;
	append_to_file($script, join("\n", 'SELECT pg_advisory_lock(1);',
		(map { "INSERT INTO made SELECT nextval('turns'), :client_id, sno_generate() FROM generate_series(1, $_);" } @counts),
		'SELECT pg_advisory_unlock(1);'));
	command_ok(
		[ 'pgbench', '-n', '-M', $mode, '-c', SESSIONS, '-t', TURNS, '-f', $script, $server->connstr('postgres') ],
		"$name: sessions take turns");
	is(inversions($name, SESSIONS * TURNS * sum(@counts)), 0, "$name: statements ascend across sessions");
	return;
}

# Each session is one statement, with a turn in each pass of its loop
sub loops_inversions
{
	my ($name) = @_;
	my $turns = TURNS;

	race_sessions(
		map {
			{   server => $server,
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

foreach my $lease_limit (64, 4096, 1)
{
	configure($server, preload('sno.lease_limit' => $lease_limit));
	statements_ascend("leases of $lease_limit, one row", 'simple', 1);
	statements_ascend("leases of $lease_limit, one row prepared", 'prepared', 1);

	# Four ids leave a lease with slots in it, for the next statement to drop
	statements_ascend("leases of $lease_limit, four rows and one", 'simple', 4, 1);
}

is(loops_inversions('leases of 1, loops'),
	0, 'leases of 1: ids made within statements ascend across sessions');

configure($server, preload());
cmp_ok(loops_inversions('leases of 64, loops'),
	'>', 0, 'longer leases do not promise that, and it is seen');

done_testing();

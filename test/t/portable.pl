# portable.pl
#	sql/portable/sno.sql, installed by an ordinary role, gives what the extension gives, and
#	makes no id twice that a row holds, whatever the clock does, through a crash, a promotion
#	and a dump; who reads as doc/reading-new-rows.md says reads each row once meanwhile.
#	MINUTES=n moves the clock n times as often.
use strict;
use warnings FATAL => 'all';

use IPC::Run;

use SnoLoad;
use SnoTest;
use SnoTrouble;

use constant {
	CLOCK_STEPS => 4 * ($ENV{MINUTES} || 1),	# before the crash, after it, and on the standby
	STEP_ROWS => 1500,			# that are made between two of them
	TRANSACTIONS => 3000 * ($ENV{MINUTES} || 1),	# of a session, at most
	RANDOM_IDS => 100_000,
};

my $file = "$ENV{TESTDIR}/sql/portable/sno.sql";
my @owner = (extra_params => [ '-U', 'owner' ]);
my @app = (extra_params => [ '-U', 'app' ]);
my ($clock, $standby_clock) = map { new_clock($_) } qw(first second);
my $server = new_server('portable', clock => $clock, init => { allows_streaming => 1 },
	settings => { max_prepared_transactions => 20 });
my ($standby, $loads) = (undef, 0);

# The page's polls, and the order of what they read
my %polls = map { $_ => poll($_, $_) =~ s/\bsno\b/uuid/gr } 'In order', 'At once';
my %orders = ('In order' => 'true', 'At once' => 'stream');

# install(SCHEMA, [ROLE]): as the file says.  Returns psql's exit status and messages.
sub install
{
	my ($schema, $role) = @_;
	my $user = $role // 'owner';
	my $message = '';

	IPC::Run::run([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', $file,
			'-d', $server->connstr('postgres')
			  . " user=$user options='-c search_path=$schema -c client_min_messages=warning'" ], '2>', \$message);
	return ($?, $message);
}

# start_load(SERVER): eight sessions, of a role that may do no more, that insert rows in
# transactions of all kinds, and for each order two programs that share a cursor.  A clock
# that jumps ahead would end their statements by the timeout of the tests.
sub start_load
{
	my ($where) = @_;
	my @scripts = map { polls(20_000, 0.005, $_) } (values %polls) x 2;

	$loads++;
	foreach my $n (1 .. 8)
	{
		my $stream = "load $loads $n";
		my $insert = "INSERT INTO event VALUES (sno_generate_uuid(3), '$stream');\n";

		push @scripts, join '', "\\set ON_ERROR_STOP 0\n", map { transaction($stream, ($insert) x 3) } 1 .. TRANSACTIONS;
	}
	return start_sessions(map { { server => $where, sql => $_,
			options => '-c role=app -c search_path=app,ids -c statement_timeout=0' } } @scripts);
}

# move_clock(SERVER, CLOCK): back and forth, by up to 150 ms or by minutes, while
# rows are made
sub move_clock
{
	my ($where, $its_clock) = @_;
	my $offset_s = $its_clock->{offset_s};

	foreach my $step (1 .. CLOCK_STEPS)
	{
		my $rows = STEP_ROWS + query($where, 'SELECT count(*) FROM app.event');

		$its_clock->set($offset_s + (int(rand(7)) - 3) * (rand() < 0.5 ? 0.05 : 100));
		wait_until($where, "count(*) >= $rows FROM app.event");
	}
	return;
}

# is_resolved(ID, EXPECTED, NAME): may a reader go beyond the id?
sub is_resolved
{
	my ($id, $expected, $name) = @_;

	return is(query($server, "SELECT ids.sno_resolved() >= '$id'"), $expected ? 't' : 'f', $name);
}

# The key of a mark
sub key { return "(('ids.sno_head'::regclass::oid::bigint << 39) | $_[0])" }

# Installation
query($server, <<'EOF');
CREATE ROLE owner LOGIN;
CREATE ROLE app LOGIN;
CREATE SCHEMA ids AUTHORIZATION owner;
CREATE SCHEMA app AUTHORIZATION owner;
CREATE SCHEMA open AUTHORIZATION owner;
GRANT CREATE, USAGE ON SCHEMA open TO PUBLIC;
GRANT USAGE ON SCHEMA ids, app TO app;
-- As managed servers have them
ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT ALL ON SEQUENCES TO app;
ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT ALL ON TABLES TO app;
EOF
like((install('open'))[1], qr/others may create objects in schema "open"/,
	'sno.sql is not installed where everyone may put functions beside it');
{
	local $ENV{PGOPTIONS} = '-c search_path=open';

	like(($server->psql('postgres', "SET search_path = missing;\n\\i $file", @owner))[2],
		qr/no schema has been selected/, 'nor where the session began, if the search path names no schema');
}
query($server, <<'EOF', @owner);
CREATE FUNCTION ids.format(text, regrole) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE FUNCTION ids.trap(float8, integer) RETURNS float8 LANGUAGE plpgsql AS $$ BEGIN RAISE 'trapped'; END $$;
CREATE OPERATOR ids.* (FUNCTION = ids.trap, LEFTARG = float8, RIGHTARG = integer);
EOF
is_deeply([ install('ids', query($server, 'SELECT current_user')) ], [ 0, '' ],
	'a superuser installs it in the schema of another role, and runs no code of that role');
is(query($server, q(SELECT DISTINCT proowner::regrole FROM pg_proc WHERE pronamespace = 'ids'::regnamespace)), 'owner',
	'all of it belongs to the owner of the schema');
query($server, 'DROP SCHEMA ids CASCADE; CREATE SCHEMA ids AUTHORIZATION owner; GRANT USAGE ON SCHEMA ids TO app');
is_deeply([ install('ids') ], [ 0, '' ], 'an ordinary role that owns a schema installs it');

my $partition = query($server, 'SELECT last_value FROM ids.sno_own_partition');

query($server, <<'EOF', @owner);
CREATE TABLE app.event (id uuid NOT NULL DEFAULT ids.sno_generate_uuid(3), stream text);
CREATE INDEX ON app.event (id);
EOF
query($server, 'INSERT INTO app.event SELECT FROM generate_series(1, 1000)', @app);
is(query($server, <<"EOF"), '0', 'ids have the metabyte, the partition and the time');
SELECT count(*) FROM app.event
WHERE ids.sno_meta(id) <> 3 OR ids.sno_partition(id) <> $partition
	OR ids.sno_timestamp(id) NOT BETWEEN now() - interval '1 minute' AND now()
EOF
is(query($server, 'SELECT array_agg(id ORDER BY ctid) = array_agg(id ORDER BY id) FROM app.event'), 't',
	'later calls give later ids');

my $last = query($server, 'SELECT max(id::text) FROM app.event');

is((install('ids'))[0], 0, 'sno.sql can be installed again');
is(query($server, 'SELECT last_value FROM ids.sno_own_partition'), $partition, 'it keeps the partition');
is(query($server, "SELECT ids.sno_generate_uuid(3) > '$last'"), 't', 'it keeps the head');

# The same bytes as the extension
query($server, 'CREATE TABLE random_id AS '
	  . "SELECT decode(left(md5(i::text), 20), 'hex')::sno AS id FROM generate_series(1, ${\RANDOM_IDS}) AS i");
query($server, "\\copy random_id FROM PROGRAM 'cut -f 1 $ENV{TESTDIR}/test/unit/vectors.tsv'");
is(query($server, <<'EOF'), RANDOM_IDS + 87 . '|0', 'random ids and known ones are as in the extension, both ways');
SELECT count(*), count(*) FILTER (WHERE
	(ids.sno_from_text(id::text), ids.sno_text(id::uuid), ids.sno_from_text(id::text)::sno::text,
		ids.sno_timestamp(id::uuid), ids.sno_meta(id::uuid), ids.sno_partition(id::uuid), ids.sno_sequence(id::uuid))
	IS DISTINCT FROM
	(id::uuid, id::text, id::text, sno_timestamp(id), sno_meta(id), sno_partition(id), sno_sequence(id)))
FROM random_id
EOF
is(query($server, <<'EOF'), '0', 'bounds of instants, on ticks and beside them, are those of the extension');
SELECT count(*) FROM (
	SELECT sno_timestamp(id) + us * interval '1 us'
	FROM (SELECT id FROM random_id LIMIT 20000) AS id, unnest(ARRAY[0, 1, 3999]) AS us
	UNION ALL VALUES (timestamptz '-infinity'), ('2009-12-31 23:59:59.999999+00'), ('2010-01-01 00:00+00'),
		('2010-01-01 00:00:00.000001+00'), ('2079-09-07 15:47:35.548+00')) AS t (at)
WHERE ids.sno_lower_bound(at) <> sno_lower_bound(at)::uuid
	OR CASE WHEN at >= '2010-01-01 00:00+00' THEN ids.sno_upper_bound(at) <> sno_upper_bound(at)::uuid END
	OR ids.sno_upper_bound('infinity') <> sno_max()::uuid
EOF
foreach (
	(map { [ "sno_$_('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11')", '22P02', qr/is no sno/ ] }
		qw(text timestamp meta partition sequence)),
	(map { [ "sno_from_text('$_')", '22P02', qr/is no sno/ ] }
		qw(9q7jqm682eks422 9q7jqm682eks42222 9Q7JQM682EKS4222 9q7jqm682eks422y)),
	(map { [ "sno_lower_bound('$_')", '22008', qr/no sno is at or after/ ] } '2079-09-07 15:47:35.548001+00', 'infinity'),
	(map { [ "sno_upper_bound('$_')", '22008', qr/no sno is at or before/ ] } '2009-12-31 23:59:59.9999+00', '-infinity'),
	(map { [ "sno_generate_uuid($_)", '22003', qr/metabyte out of range/ ] } -1, 256))
{
	is_error($server, 'postgres', "SELECT ids.$_->[0]", $_->[1], $_->[2], "$_->[0] fails as in the extension");
}

# Who may do what
is_error($server, 'postgres', $_, '42501', qr/permission denied/, "who uses the tables may not $_", @app)
  foreach "SELECT nextval('ids.sno_head')", "SELECT setval('ids.sno_head', 1)",
  "SELECT setval('ids.sno_own_partition', 1)", 'BEGIN; LOCK TABLE ids.sno_lock IN ROW EXCLUSIVE MODE';
is(query($server, <<'EOF', @app), $partition, 'nothing that a role puts into its path is used instead');
CREATE TEMP SEQUENCE sno_own_partition MINVALUE 0;
CREATE TEMP SEQUENCE sno_head MINVALUE 0;
CREATE FUNCTION open.nextval(text) RETURNS bigint LANGUAGE sql AS 'SELECT 7::bigint';
SET search_path = pg_temp, open, pg_catalog;
SELECT ids.sno_partition(ids.sno_generate_uuid());
EOF
is(query($server, <<'EOF'), '0', 'nothing is locked after a call, in the same transaction');
BEGIN;
DO $$ BEGIN PERFORM ids.sno_generate_uuid(), ids.sno_generate_uuid(); END $$;
SELECT count(*) FROM pg_locks WHERE relation = 'ids.sno_lock'::regclass AND pid = pg_backend_pid();
EOF

# The clock, a crash and a promotion
$standby_clock->set(-3600);
$standby = new_standby($server, 'standby', $standby_clock);
is_error($standby, 'postgres', 'SELECT ids.sno_resolved()', '25006', qr/during recovery/, 'a standby knows no bound');
query($server, 'SET search_path = app;' . page_block('sql/portable/README.md', '<!-- test: a reader -->'), @owner);
query($server, <<'EOF', @owner);
CREATE TABLE app.got (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, reader text, id uuid);
INSERT INTO app.reader VALUES ('In order'), ('At once');
GRANT ALL ON ALL TABLES IN SCHEMA app TO app;
EOF

my @load = start_load($server);

move_clock($server, $clock);
my $insert = 'BEGIN; INSERT INTO app.event DEFAULT VALUES RETURNING id; PREPARE TRANSACTION';
my $prepared = query($server, "$insert 'crash'", @app);

crash_and_start($server, $clock, 60);
end_sessions(@load);
is_resolved($prepared, 0, 'a transaction that was prepared before a crash holds readers back');
@load = start_load($server);
move_clock($server, $clock);
is_resolved($prepared, 0, 'a prepared transaction holds readers back, however long it is open');
query($server, "COMMIT PREPARED 'crash'", @app);
query($server, "$insert 'promotion'", @app);
$server->wait_for_catchup($standby);
$server->stop('immediate');
end_sessions(@load);
$server = $standby;
$server->promote;
@load = start_load($server);
move_clock($server, $standby_clock);
query($server, "COMMIT PREPARED '$_'") foreach reverse split /\n/,
  query($server, q(SELECT gid FROM pg_prepared_xacts WHERE gid NOT LIKE 'load 3 %'));
move_clock($server, $standby_clock);
query($server, <<'EOF');
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
EOF
end_sessions(@load);
is(query($server, 'SELECT count(*) - count(DISTINCT id) FROM app.event'), 0,
	'eight sessions whose clock is set back and forth, through a crash and a promotion, make no id twice');
is(query($server, 'SELECT count(DISTINCT reader) FROM app.got'), 2, 'readers have read in both orders');
query($server, "ROLLBACK PREPARED '$_'") foreach split /\n/, query($server, 'SELECT gid FROM pg_prepared_xacts');
{
	local $ENV{PGOPTIONS} = '-c search_path=app,ids';

	foreach my $reader (sort keys %polls)
	{
		read_rest($server, $polls{$reader}, 100);
		misses_none($server, $reader, $reader, $orders{$reader});
	}
}

# A dump
query($server, 'CREATE DATABASE restored');
output_of("pg_dump -d \"${\$server->connstr('postgres')}\" -n ids -n app"
	  . " | psql -Xq -v ON_ERROR_STOP=1 -o /dev/null -d \"${\$server->connstr('restored')}\"");
is($server->safe_psql('restored', <<'EOF'), $partition . '|t', 'a dump keeps partition and head');
SELECT ids.sno_partition(id), id > ALL (SELECT id FROM app.event) FROM ids.sno_generate_uuid(3) AS id
EOF

# What to do after the clock was far ahead
query($server, "SELECT setval('ids.sno_head', last_value + 250::bigint * 65536 * 86400) FROM ids.sno_head", @owner);
query($server, page_block('sql/portable/README.md', '<!-- test: the way back -->'), @owner);
is(query($server, <<'EOF'), '4712|t', 'ids leave a time ahead of the clock in another partition');
SELECT ids.sno_partition(id), ids.sno_timestamp(id) BETWEEN now() - interval '1 minute' AND clock_timestamp()
FROM ids.sno_generate_uuid() AS id
EOF

# What holds readers back
query($server, <<'EOF', @owner);
CREATE TABLE app.plain (id uuid);
CREATE FUNCTION app.insert_twice(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO app.plain VALUES (ids.sno_generate_uuid());
	RETURN 1 / (2 - n);
END $$;
CREATE FUNCTION app.keep_setting(value text) RETURNS text LANGUAGE sql AS $$
	SELECT set_config(n, coalesce(value, current_setting(n)), false)
	FROM (SELECT 'sno_' || 'ids.sno_head'::regclass::oid || '.mark' AS n) AS s
$$;
EOF

my $open = $server->background_psql('postgres', on_error_stop => 0);
my ($id, $first);

$open->query('BEGIN; DECLARE c CURSOR FOR SELECT app.insert_twice(n) FROM generate_series(1, 2) AS n');
$open->query('FETCH c; SAVEPOINT s');
$open->query('FETCH c; ROLLBACK TO s');
($id) = $open->query('SELECT id FROM app.plain') =~ /([-\w]{36})/;
is_resolved($id, 0, 'an id of a cursor that failed later, whose locks are gone, holds readers back');
$open->quit;
$open = $server->background_psql('postgres', on_error_stop => 0);

$open->query("BEGIN; SELECT ids.sno_generate_uuid(); SELECT app.keep_setting(NULL); COMMIT; BEGIN");
$id = answer_of($open, 'SELECT ids.sno_generate_uuid()');
is_resolved($id, 0, 'an id of a session that has kept the setting of an earlier transaction holds readers back');

# The clock is far ahead, then right; the transaction has a mark of the time ahead
$standby_clock->set(7200);
$open->query('COMMIT; BEGIN; SELECT ids.sno_generate_uuid()');
$first = query($server, 'SELECT ids.sno_resolved()');
$standby_clock->set(0);

my $owner = $server->background_psql('postgres');
my $writer;

$owner->query_safe('SELECT pg_advisory_lock(1); BEGIN; LOCK TABLE ids.sno_lock');
($writer) = start_sessions({ server => $server, output => ids_file('writer'),
	sql => "BEGIN;\nSELECT ids.sno_generate_uuid();\nSELECT pg_advisory_xact_lock(1);" });
wait_for_lock($server);
$owner->query(page_block('sql/portable/README.md', '<!-- test: the way back -->') =~ s/4712/4711/r);
wait_for_lock($server);
is_resolved(slurp_file(ids_file('writer')) =~ s/\n.*//sr, 0,
	'an id of a writer that waited while the head was set back holds readers back');
$owner->quit;
finish_sessions($writer);
$id = answer_of($open, 'SELECT ids.sno_generate_uuid()');
is_resolved($id, 0, 'an id of a transaction that had made others before the head was set back holds readers back');
$open->query('COMMIT');
is_resolved($id, 1, 'until it ends');
is_error($server, 'postgres', "SELECT ids.sno_resolved('$first')", '55000', qr/of another partition/,
	'a reader from before the partition was changed is told so');
is(query($server, <<'EOF'), 't', 'a reader can go on from the end of a time, as the page says');
SELECT ids.sno_resolved(ids.sno_upper_bound(ids.sno_timestamp(b))) >= b FROM ids.sno_resolved() AS b
EOF

# Of strangers
my $tick = "floor(extract(epoch FROM clock_timestamp() - timestamptz '2010-01-01 00:00+00') * 250)::bigint";

$first = query($server, 'SELECT ids.sno_generate_uuid()');
$open->query("BEGIN; SELECT pg_advisory_xact_lock(${\key(0)})");
$open->query("SELECT count(pg_advisory_xact_lock(${\key('n')})) FROM generate_series($tick, $tick + 1500) AS n");
$id = query($server, "SET statement_timeout = '10s'; BEGIN; SELECT ids.sno_generate_uuid(); COMMIT", @app);
cmp_ok($id, 'gt', $first, q(a stranger's exclusive locks stop no writer));
is_resolved($id, 1, q(a stranger's exclusive locks stop no reader));
$open->query('ROLLBACK; BEGIN; SELECT pg_advisory_xact_lock_shared(1), pg_advisory_xact_lock_shared(1, 1)');
is_resolved($id, 1, 'locks with other keys stop no reader');
$open->query("ROLLBACK; BEGIN; SELECT pg_advisory_xact_lock_shared(${\key(0)})");
is(query($server, "SELECT ids.sno_resolved('$first') = '$first'"), 't', 'a shared lock on tick 0 stops readers');
$open->query('ROLLBACK');
$open->quit;

# With the clock an hour behind the last id
$standby_clock->set(-3600);
$id = query($server, 'SELECT ids.sno_generate_uuid()');
wait_until($server, "ids.sno_resolved() >= '$id'");
pass('a clock far behind the ids does not stop readers');
is(query($server, "SELECT ids.sno_resolved() AS bound \\gset\nSELECT ids.sno_generate_uuid() > :'bound'"), 't',
	'with a clock far behind, no id is made below the bound');
is(query($server, <<'EOF'), 't', 'however often readers poll, the clock catches up');
SELECT last_value >> 16 AS head FROM ids.sno_head \gset
SELECT clock_timestamp() AS start \gset
DO 'BEGIN FOR n IN 1 .. 300 LOOP PERFORM ids.sno_generate_uuid(), ids.sno_resolved(); END LOOP; END';
SELECT (last_value >> 16) - :head < extract(epoch FROM clock_timestamp() - :'start') * 125 + 3 FROM ids.sno_head;
EOF
$standby_clock->set(60);

foreach ([ "'78787878-7878-7878-7878-787878787878'", '55000', qr/ahead of all ids/ ],
	[ 'NULL', '22004', qr/must not be null/ ], [ "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'", '22P02', qr/is no sno/ ])
{
	is_error($server, 'postgres', "SELECT ids.sno_resolved($_->[0])", $_->[1], $_->[2], "sno_resolved($_->[0]) fails");
}
is_error($server, 'postgres', 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT ids.sno_resolved()', '25000',
	qr/with one snapshot/, 'sno_resolved fails where the snapshot is older than the call');

# The way up: the extension is there
query($server, <<'EOF', @owner);
SET search_path = app, ids;
DROP TABLE event;
CREATE TABLE event (id uuid PRIMARY KEY DEFAULT sno_generate_uuid(1), n int);
CREATE TABLE note (id uuid PRIMARY KEY DEFAULT sno_generate_uuid(2), event_id uuid NOT NULL REFERENCES event);
CREATE TABLE visit (id uuid PRIMARY KEY DEFAULT sno_generate_uuid(4), n int) PARTITION BY RANGE (id);
CREATE FUNCTION bound(days int) RETURNS uuid RETURN ids.sno_lower_bound(now() + days * interval '1 day');
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (bound(-100)) TO (bound(-1));
CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM (bound(-1)) TO (bound(1));
INSERT INTO event (n) SELECT generate_series(1, 1000);
INSERT INTO note (event_id) SELECT id FROM event;
INSERT INTO visit (n) SELECT generate_series(1, 1000);
EOF

my $pairs = 'FROM app.event AS e JOIN app.note AS n ON event_id = e.id ORDER BY e.id';
my $before = query($server, "SELECT ids.sno_text(e.id), ids.sno_text(n.id) $pairs");

query($server, "SET search_path = app, public, ids;\n"
	. page_block('sql/portable/README.md', '<!-- test: the way up -->'), @owner);
is(query($server, "SELECT e.id, n.id $pairs"), $before, 'rows of the type sno, and their references, are the same');
is(query($server, <<'EOF'), '1000|1', 'partitions of a table are the same, as the type sno');
SELECT count(*), count(DISTINCT tableoid) FROM app.visit WHERE id >= now() - interval '2 days'
EOF
is(query($server, <<'EOF', @owner), '2000|2|t', 'new ids go on, in another partition');
SET search_path = app, public;
INSERT INTO event (n) SELECT generate_series(1, 1000);
INSERT INTO visit (n) SELECT generate_series(1, 1000);
SELECT count(DISTINCT id), count(DISTINCT sno_partition(id)), (SELECT count(DISTINCT id) FROM visit) = 2000 FROM event;
EOF

# A full table of locks, when all that a call needs beside the mark is there
my $gate = ids_file('gate');
my ($gated) = start_sessions({ server => $server, sql => <<"EOF" });
SELECT ids.sno_generate_uuid();
BEGIN;
SELECT pg_current_xact_id();
SET application_name = 'gated';
\\! until test -e $gate; do sleep 0.1; done
SELECT ids.sno_generate_uuid();
EOF

$open = $server->background_psql('postgres');
wait_until($server, q(count(*) = 1 FROM pg_stat_activity WHERE application_name = 'gated'));
$open->query_safe(q(DO 'BEGIN FOR n IN 1 .. 1000000 LOOP PERFORM pg_advisory_lock(n); END LOOP; '
	'EXCEPTION WHEN out_of_memory THEN END'));
set_file($gate, '');
end_sessions($gated);
like($gated->{errors}, qr/ERROR:  53200: out of shared memory.*sno_generate_uuid/s,
	'a full table of locks is an error');
# After psql has quit, the server may still hold its locks, and refuse the next session
$open->query_safe('SELECT pg_advisory_unlock_all()');
$open->quit;
$id = query($server, 'SELECT ids.sno_generate_uuid()');
is_resolved($id, 1, 'after which all goes on');

done_testing();

# every_function.pl
#	No argument of any function, operator or cast of the extensions harms the
#	server: the call returns, or ends soon in an error that users may see.
#
# What there is to call is in the catalog.  Arguments are nulls in every combination and the
# extremes of each type, of which SEED=n chooses the same again where there are too many.
use strict;
use warnings FATAL => 'all';

use List::Util qw(min product);
use Time::HiRes qw(time);

use SnoTest;

use constant {
	CALLS_MAX => 200,			# of one object: then a sample
	SLOW_COUNT => 100_000,		# ids that may take any time
};

# What a call may end in
my %documented = map { $_ => 1 } (
	# An argument: null, out of range, or not what its type is to be
	qw(0A000 22003 22004 22008 22013 22021 22023 22P02 22P03 54000),
	# A table, or a partition: its name, and whether it is there, and of that kind
	qw(2BP01 42601 42602 42622 42702 42809 42P01 42P07 42P10 42P16 42P17),
	# A privilege; the state of a clock or a table; sno.wait_timeout
	qw(42501 55000 55P03),
	# The registry: an owner without partitions, partitions of another, no range
	qw(42704 55006 42939 23502 23514));

# The members of the extensions, and what there is to call: a name, a statement with
# parameters, their types, and whether no error may tell of them.  Operators are called with
# a column on one side or on both, too, where the planner has a say.
my $members = <<'EOF';
(SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
	AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('sno', 'sno_registry'))) AS m
EOF
my $callable = <<"EOF";
WITH operator AS (
	SELECT 'operator ' || o.oid::regoperator AS name, format('OPERATOR(pg_catalog.%s)', oprname) AS operator,
		oprleft::regtype AS l, oprright::regtype AS r, proleakproof,
		CASE oprresult WHEN 'boolean'::regtype THEN 'WHERE' ELSE 'ORDER BY' END AS clause
	FROM pg_operator AS o JOIN $members ON classid = 'pg_operator'::regclass AND objid = o.oid
		JOIN pg_proc AS p ON p.oid = oprcode
), tables AS (SELECT unnest(ARRAY['app.every_index', 'app.every_seq']) AS t)
SELECT oid::regprocedure::text, format('SELECT %s(%s)', proname,
	(SELECT string_agg('\$' || n, ', ') FROM generate_series(1, pronargs) AS n)),
	array_to_string(proargtypes::regtype[], ','), proleakproof
FROM pg_proc JOIN $members ON classid = 'pg_proc'::regclass AND objid = oid
UNION ALL SELECT format('cast from %s to %s', castsource::regtype, casttarget::regtype),
	format('SELECT \$1::%s', casttarget::regtype), castsource::regtype::text, false
FROM pg_cast AS c JOIN $members ON classid = 'pg_cast'::regclass AND objid = c.oid
UNION ALL SELECT name, format('SELECT \$1 %s \$2', operator), concat_ws(',', l, r), proleakproof FROM operator
UNION ALL SELECT name, format('SELECT FROM %s %s id %s \$1', t, clause, operator), r::text, proleakproof
FROM operator, tables WHERE l = 'sno'::regtype
UNION ALL SELECT name, format('SELECT FROM %s %s \$1 %s id', t, clause, operator), l::text, proleakproof
FROM operator, tables WHERE r = 'sno'::regtype
UNION ALL SELECT name, format('SELECT FROM %s JOIN (VALUES (\$1), (\$2)) AS v (value) ON id %s value', t, operator),
	concat_ws(',', r, r), proleakproof
FROM operator, tables WHERE l = 'sno'::regtype AND clause = 'WHERE'
ORDER BY 1, 2
EOF

my $server = new_server('every_function', settings => preload('sno.partition' => 1, log_min_messages => 'log'));
# No call gets many partitions, which would take long
query($server, q(CREATE EXTENSION sno_registry; SELECT sno_registry_open();
	SELECT sno_registry_adopt('taken ' || n, n * 512) FROM generate_series(0, 127) AS n));

seed_random();

my $snapshot = query($server, 'SELECT sno_snapshot()');
# Both planes are reserved until that number of seconds ahead
my @ahead = map { <<"EOF" =~ s/\n/ /gr } -1, 1, 3600, 86_000, 90_000, 1e9;
format('{"format": 1, "planes": [{"reserved": %1\$s}, {"reserved": %1\$s}]}',
floor((extract(epoch FROM now() + interval '$_ s') - 1262304000) * 250))::jsonb
EOF
my @texts = (
	"''", "'2'", "'x'", "'y'", "'A'", "' '", "'%'", "'-infinity'", "'2026-01-01'",
	(map { "repeat('2', $_)" } 15, 16, 17), "repeat('x', 16)", "repeat('X', 16)",
	(map { "repeat(chr(233), $_)" } 1, 8, 16), "repeat('2', 15) || E'\\xF0\\x9F\\x98\\x80'",
	(map { "'\\x' || repeat('f', $_)" } 0, 1, 19, 20, 21), "'\\x' || repeat(chr(233), 20)",
	"repeat('x', 1000000)", "'\\x' || repeat('0', 1000000)", "E'\\t\\n'");
my @ranges = map { "'$_'" }
  'empty', '(,)', '[-infinity,infinity]', '(-infinity,infinity)', '[infinity,)', '(,-infinity]',
  '[2026-01-01,2026-01-01]', '(2026-01-01,2026-01-02)', '[4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59.999999+00]';
# SQL expressions of each type
my %extremes = (
	'boolean' => [qw(true false)],
	'smallint' => [ -32768, -1, 0, 1, 32767 ],
	'integer' => [ -2147483648, -1, 0, 1, 255, 256, 65535, 65536, SLOW_COUNT, 2147483647 ],
	'bigint' => [
		'-9223372036854775808', '-9223372036854775807', -4294967296, -1, 0, 1, 65536, 1288834974657,
		'4611686018427387904', '9223372036854775807' ],
	'oid' => [
		0, 1, 4294967295, "'sno'::regtype", "'pg_class'::regclass",
		map { "(SELECT max(oid) FROM pg_constraint WHERE contype = '$_')" } qw(c p) ],
	'name' => [ "'id'", "'ctid'", "''", "repeat('x', 64)" ],
	'regclass' => [
		"'app.event'", "'other.event'", "'app.\"odd \"\"; name\"'", "'app.plain'",
		"'app.by_list'", "'app.view'", "'app.plain_pkey'", "'pg_class'", "'pg_toast.pg_toast_1255'", 0, 1, 4294967295 ],
	'timestamp with time zone' => [ map { "'$_'" } '-infinity', 'infinity',
		'4714-11-24 00:00:00+00 BC', '294276-12-31 23:59:59.999999+00', '2009-12-31 23:59:59.999999+00',
		'2010-01-01 00:00:00+00', '2026-01-01 00:00:00+00', '2079-09-07 15:47:35.551999+00', '2079-09-07 15:47:35.552+00' ],
	'interval' => [ map { "'$_'" } '0', '1 microsecond', '-1 microsecond', '1.5 seconds', '1 hour', '1 day',
		'1 month', '-1 month',
		'1 year -1 day', '1 month 1 microsecond', '1000 years', '178000000 years',
		'-178000000 years', '2147483647 days', '-2147483648 days', '2147483647 months 2147483647 days',
		$server->pg_version < 17 ? () : ('infinity', '-infinity') ],
	'double precision' => [ map { "'$_'" } 0, -1, 1, '1e-300', '1e300', 86400000, 'infinity', '-infinity', 'nan' ],
	(map { $_ => \@ranges } qw(tstzrange sno_period)),
	(map { $_ => [ "'{}'", "'{(,)}'", "'{(,2026-01-01),[infinity,)}'" ] } qw(tstzmultirange sno_periods)),
	(map { $_ => \@texts } 'text', 'cstring', 'character', 'character varying', 'sno_registry_owner'),
	'bytea' => [ (map { "decode(repeat('ff', $_), 'hex')" } 0 .. 11), "decode(repeat('00', 1000000), 'hex')" ],
	'uuid' => [ map { "repeat('$_', 16)" } qw(00 ff 32 78 79) ],
	(map { $_ => [ 'sno_min()', 'sno_max()', map { "'\\x$_'" } '7f' x 10, '80' x 10, 'ff' x 5 . '00' x 5 ] }
		qw(sno sno_operand)),
	'jsonb' => [ "'$snapshot'", (map { "'$_'" } 'null', -1, '1e400', '9' x 40, '"7"', '{}', '[]', 'true'), @ahead ],
	# Where pg_upgrade does not run, it has no other value
	'sno_reservation' => ["'0'"],
	# No one can write a value of this type but null
	'internal' => [ "'0'", '0' ]);
foreach my $type (keys %extremes)
{
	$extremes{$type} = [ map { "($_)::$type" } @{ $extremes{$type} } ];
}

# Lists of arguments of these types
sub argument_lists
{
	my @types = @_;
	my @lists = ([]);

	return @lists if !@types;
	if (product(map { scalar @{ $extremes{$_} // die "no values are known of type $_" } } @types) <= CALLS_MAX)
	{
		foreach my $type (@types)
		{
			@lists = map { my $list = $_; map { [ @$list, $_ ] } @{ $extremes{$type} } } @lists;
		}
	}
	else
	{
		@lists = map { [ map { pick(@{ $extremes{$_} }) } @types ] } 1 .. CALLS_MAX;
	}
	foreach my $nulls (1 .. 2**@types - 1)
	{
		push @lists, [ map { $nulls & 1 << $_ ? "NULL::$types[$_]" : pick(@{ $extremes{ $types[$_] } }) } 0 .. $#types ];
	}
	return @lists;
}

# May the call take any time, so that it has to be cancelled?
sub is_slow
{
	return $_[0] =~ /SELECT sno_(?:create|plan)_partitions\(/
	  || $_[0] =~ /SELECT sno_generate_(?:many|array)\(\((\d+)\)/ && $1 >= SLOW_COUNT;
}

sub is_right
{
	my ($call, $outcome) = @_;

	return $outcome =~ /^(0A000|42846|42883)$/ || $outcome eq '' && $call->{sql} =~ /NULL::internal/
	  if $call->{takes_internal};
	return $outcome eq '' || !$call->{is_leakproof}
	  && ($documented{$outcome} || $outcome eq '57014' && is_slow($call->{sql}));
}

# Makes the calls as that role, each a line in one session: psql tells an error's
# line and SQLSTATE
sub make_calls
{
	my ($role, @calls) = @_;
	my ($script, $offset) = (ids_file("calls_$role.sql"), -s $server->logfile);
	my @outcomes = ('') x @calls;
	my $lines = "SET sno.wait_timeout = '10ms'; SET client_min_messages = error; SET statement_timeout = '10s';\n"
	  . join('',
		map { is_slow($_) ? "SET statement_timeout = '100ms'; $_; SET statement_timeout = '10s';\n" : "$_;\n" }
		map { $_->{sql} } @calls);
	my (@wrong, $errors);

	utf8::encode($lines);
	set_file($script, "$lines\\echo the end\n");
	IPC::Run::run(
		[ 'psql', '-XAtq', '-v', 'VERBOSITY=sqlstate', '-f', $script,
			'-d', $server->connstr('postgres') . " user=$role client_encoding=UTF8" ],
		'<', '/dev/null', '>', ids_file('output'), '2>', \$errors);
	$outcomes[ $1 - 2 ] = $2 while $errors =~ /^psql:[^\n]*?:(\d+): \w+:  (\w{5})$/mg;
	@wrong = map { sprintf('%s: %s: %.300s', $calls[$_]{name}, $outcomes[$_], $calls[$_]{sql}) }
	  grep { !is_right($calls[$_], $outcomes[$_]) } 0 .. $#calls;

	is(output_of('tail -n 1 ' . ids_file('output')), 'the end', "$role: the session survives all calls");
	unlike(slurp_file($server->logfile, $offset), qr/PANIC|TRAP|was terminated|Failed process/,
		"$role: and no process of it failed");
	is(join("\n", @wrong[ 0 .. min(20, $#wrong) ]), '',
		"$role: each call returns, or ends in a documented error; no error tells of arguments of what is leakproof");
	return;
}

query($server, <<'EOF');
CREATE ROLE ordinary LOGIN;
CREATE ROLE super LOGIN SUPERUSER;
CREATE SCHEMA app AUTHORIZATION ordinary;
CREATE SCHEMA other;
CREATE TABLE other.event (id sno) PARTITION BY RANGE (id);
SET ROLE ordinary;
CREATE TABLE app.event (id sno) PARTITION BY RANGE (id);
CREATE TABLE app."odd ""; name" (id sno) PARTITION BY RANGE (id);
CREATE TABLE app.by_list (id sno) PARTITION BY LIST (id);
CREATE TABLE app.plain (id sno PRIMARY KEY);
CREATE VIEW app.view AS SELECT id FROM app.plain;
EOF

# Ids with each kind of index and with none, and with statistics
query($server, <<"EOF");
CREATE TABLE app.every_seq (id) AS VALUES ${\join(', ', map { "($_)" } @{ $extremes{sno} })};
CREATE TABLE app.every_index AS TABLE app.every_seq;
CREATE INDEX ON app.every_index USING btree (id);
CREATE INDEX ON app.every_index USING hash (id);
CREATE INDEX ON app.every_index USING gist (id);
CREATE INDEX ON app.every_index USING brin (id);
CREATE INDEX ON app.every_index USING brin (id sno_minmax_multi_ops);
CREATE INDEX ON app.every_index USING brin (id sno_bloom_ops);
ANALYZE app.every_seq, app.every_index;
GRANT SELECT ON app.every_seq, app.every_index TO ordinary;
EOF

my (@calls, %names);

foreach my $row (split /\n/, query($server, $callable))
{
	my ($name, $sql, $types, $leakproof) = split /\|/, $row;

	$names{$name} = 1;
	push @calls, map {
		my $arguments = $_;

		{   name => $name,
			is_leakproof => $leakproof eq 't',
			takes_internal => scalar($types =~ /\binternal\b/),
			sql => $sql =~ s/\$(\d)/$arguments->[ $1 - 1 ]/gr }
	} argument_lists(split /,/, $types);
}
cmp_ok(scalar keys %names, '>', 100, keys(%names) . ' functions, operators and casts are called, ' . @calls . ' times');

# What was restored may be a day ahead of the clock, and has closed the generator: so the
# superuser comes last.  A restart would leave out the command of test/memory.
make_calls($_, @calls) foreach qw(ordinary super);
$server->stop;
$server->start;
is((error_of($server, 'postgres', 'SELECT sno_reset()'))[0], '', 'the server starts again');

done_testing();

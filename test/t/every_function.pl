# every_function.pl
#	No argument of any function, operator or cast of the extension harms the
#	server: the call returns, or ends soon in an error that users may see.
#
# What there is to call is taken from the catalog, also what only the server is
# meant to call.  Arguments are nulls in every combination, the extremes of each
# type, and random ones; SEED=n repeats those of an earlier run.
use strict;
use warnings FATAL => 'all';

use FindBin;
use List::Util qw(max min product);
use Test::More;
use Time::HiRes qw(time);

use lib $FindBin::RealBin;
use SnoTest;

use PostgreSQL::Test::Utils;

use constant {
	CALLS_MAX => 400,			# with extremes, of one function: then a sample
	RANDOM_CALLS => 40,
	RANDOM_VALUES => 40,		# of each type
	IDS => 100_000,
	TIMEOUT => "'10s'",			# of a call
	SLOW_TIMEOUT => "'300ms'",	# of one that may take any time, and must not
	SLOW_COUNT => 100_000,		# ids that may
};

# What a call may end in
my %documented = (
	'0A000' => 'a format of a snapshot, or a kind of argument, that is not known',
	'22003' => 'a number out of range',
	'22004' => 'an argument that must not be null',
	'22008' => 'a time out of range',
	'22013' => 'a negative distance in a window',
	'22021' => 'a character that does not exist',
	'22023' => 'an argument out of range',
	'22P02' => 'no text, or no uuid, of an id',
	'22P03' => 'no bytes of an id',
	'42501' => 'a privilege is missing',
	'42601' => 'a name of a partition that is none',
	'42602' => 'a name of a partition that is none',
	'42622' => 'a name of a partition that is too long',
	'42809' => 'no table of that kind',
	'42P01' => 'no such table',
	'42P07' => 'a partition of that name is there',
	'42P16' => 'a table that is partitioned in another way',
	'42P17' => 'a partition for these ids is there',
	'54000' => 'too many at once',
	'55000' => 'a clock, or a table, that is not in the state needed',
	'55P03' => 'sno.wait_timeout');

my $seed = $ENV{SEED} // time % 1_000_000;
my $server = new_server('every_function',
	settings => preload(log_min_messages => 'log'));
my $cluster_start = query('SELECT pg_postmaster_start_time()');
my (%values, @id_files);

note "SEED=$seed";
srand($seed);

sub query
{
	my ($sql) = @_;

	return $server->safe_psql('postgres', $sql);
}

sub random_integer
{
	my ($bits) = @_;
	my $value = 0;

	$value = $value * 2 + int(rand(2)) foreach 1 .. int(rand($bits)) + 1;
	return rand() < 0.5 ? $value : -$value;
}

sub random_hex
{
	my ($bytes) = @_;

	return join('', map { sprintf('%02x', rand(256)) } 1 .. $bytes);
}

sub random_text
{
	my ($length) = @_;
	my @alphabet = (2 .. 9, 'a' .. 'x');

	return join('', map {
			my $any = rand();

			$any < 0.94 ? $alphabet[ rand(@alphabet) ]
			  : $any < 0.97 ? chr(33 + rand(94))
			  : chr(0x80 + rand(0x7000));
	} 1 .. $length);
}

# What to_timestamp() takes begins in 4714 BC: an error of its own would be taken
# for one of what is called
sub random_instant
{
	return sprintf("to_timestamp(%d.%06d)",
		max(random_integer(rand() < 0.8 ? 31 : 42), -210_000_000_000), rand(1_000_000));
}

sub random_interval
{
	return sprintf("make_interval(months => %d, days => %d, secs => %d.%06d)",
		map { rand() < 0.5 ? 0 : $_ } random_integer(12), random_integer(12), random_integer(30), rand(1_000_000));
}

sub quoted
{
	my ($text) = @_;

	return "'" . $text =~ s/'/''/gr . "'";
}

# SQL expressions of a type: the given ones, and random ones
sub define
{
	my ($type, $random, @extremes) = @_;

	$values{$type} = {
		extremes => [ map { "($_)::$type" } @extremes ],
		random => [ map { '(' . $random->() . ")::$type" } 1 .. RANDOM_VALUES ] };
	return;
}

sub define_values
{
	my @texts = (
		"''", "'2'", "'x'", "'y'", "'A'", "' '", "'%'", "'-infinity'", "'2026-01-01'",
		(map { "repeat('2', $_)" } 15, 16, 17), "repeat('x', 16)", "repeat('X', 16)",
		(map { "repeat(chr(233), $_)" } 1, 8, 16), "repeat('2', 15) || chr(128512)",
		(map { "'\\x' || repeat('f', $_)" } 0, 1, 19, 20, 21), "'\\x' || repeat(chr(233), 20)",
		"repeat('x', 1000000)", "'\\x' || repeat('0', 1000000)", "E'\\t\\n'");
	my @instants = map { "'$_'" }
	  '-infinity', 'infinity', '4714-11-24 00:00:00+00 BC', '294276-12-31 23:59:59.999999+00',
	  '2009-12-31 23:59:59.999999+00', '2010-01-01 00:00:00+00', '2026-01-01 00:00:00+00',
	  '2079-09-07 15:47:35.551999+00', '2079-09-07 15:47:35.552+00';
	my @intervals = (
		'0', '1 microsecond', '-1 microsecond', '1.5 seconds', '1 hour', '1 day', '1 month', '-1 month',
		'1 year -1 day', '1 month 1 microsecond', '1000 years', '178000000 years',
		'-178000000 years', '2147483647 days', '-2147483648 days', '2147483647 months 2147483647 days',
		$server->pg_version < 17 ? () : ('infinity', '-infinity'));
	my @ranges = (
		"'empty'", "'(,)'", "'[-infinity,infinity]'", "'(-infinity,infinity)'", "'[infinity,)'", "'(,-infinity]'",
		"'[2026-01-01,2026-01-01]'", "'(2026-01-01,2026-01-02)'",
		"'[4714-01-01 BC,294276-12-31 23:59:59.999999+00]'");
	my @classes = (
		"'app.event'", "'other.event'", "'app.\"odd \"\"; name\"'", "'app.plain'", "'app.by_list'", "'app.view'",
		"'app.plain_pkey'", "'pg_class'", "'pg_toast.pg_toast_1255'", 0, 1, 4294967295);
	my $random_range = sub {
		return sprintf("tstzrange(least(%1\$s, %2\$s), greatest(%1\$s, %2\$s), %3\$s)",
			random_instant(), random_instant(), (map { "'$_'" } '()', '[]', '[)', '(]')[ rand(4) ]);
	};

	define('boolean', sub { rand() < 0.5 ? 'true' : 'false' }, qw(true false));
	define('smallint', sub { random_integer(15) }, -32768, -1, 0, 1, 32767);
	define('integer', sub { random_integer(31) },
		-2147483648, -1, 0, 1, 255, 256, 65535, 65536, SLOW_COUNT, 2147483647);
	define('bigint', sub { random_integer(62) },
		'-9223372036854775808', '-9223372036854775807', -4294967296, -1, 0, 1, 65536, 1288834974657,
		'4611686018427387904', '9223372036854775807');
	define('oid', sub { abs(random_integer(32)) }, 0, 1, 4294967295, "'sno'::regtype", "'pg_class'::regclass");
	define('timestamp with time zone', \&random_instant, @instants);
	define('interval', \&random_interval, map { "'$_'" } @intervals);
	define($_, $random_range, @ranges) foreach qw(tstzrange sno_period);
	define($_, sub { quoted(random_text(rand() < 0.8 ? 16 : int(rand(40)))) }, @texts)
	  foreach 'text', 'cstring', 'character', 'character varying';
	define('bytea', sub { "'\\x" . random_hex(rand() < 0.5 ? 10 : int(rand(20))) . "'" },
		(map { "decode(repeat('ff', $_), 'hex')" } 0 .. 11), "decode(repeat('00', 1000000), 'hex')");
	define('uuid', sub { "'" . (rand() < 0.5 ? random_hex(16) : unpack('H*', random_text(16) =~ s/[^!-~]/2/gr)) . "'" },
		"repeat('0', 32)", "repeat('f', 32)", "repeat('32', 16)", "repeat('78', 16)", "repeat('79', 16)");
	define('sno', sub { "'\\x" . random_hex(10) . "'" },
		'sno_min()', 'sno_max()', "'\\x" . '7f' x 10 . "'", "'\\x" . '80' x 10 . "'", "'\\x" . 'ff' x 5 . '00' x 5 . "'");
	define('regclass', sub { abs(random_integer(32)) }, @classes);
	define_snapshots();
	# Nobody can write a value of this type but null
	$values{internal} = { extremes => [ "'0'", '0::internal' ], random => ["'1'"] };
	return;
}

# Snapshots for sno_restore, from none at all to one that is a day ahead
sub define_snapshots
{
	my $snapshot = query('SELECT sno_snapshot()');
	my @spoilt = (
		'null', -1, '0', 1, '1.5', '1e10', '1e400', '1e-400', '9' x 40, '18446744073709551616', '9223372036854775807',
		'"7"', '{}', '[]', '[[]]', '[{}, {}]', '[{"last": 0, "reserved": 0}, null]', 'true');
	my @paths = map { "{$_}" }
	  'format', 'clock', 'partition', 'partition_count', 'sequence_min', 'sequence_max',
	  'head', 'head,tick', 'head,plane', 'head,slot',
	  'planes', 'planes,0', 'planes,0,last', 'planes,1,reserved', 'reservations';
	my $ahead = sub {
		my ($s) = @_;
		my $ticks = "(extract(epoch FROM now() + interval '$s s') - 1262304000) * 250";

		return "jsonb_set('$snapshot'::jsonb || '{\"head\": null}', '{planes}', format('[{\"last\": 0, \"reserved\": %1\$s}, {\"last\": 0, \"reserved\": %1\$s}]', floor($ticks))::jsonb)";
	};

	define('jsonb', sub {
			return sprintf("jsonb_set('%s', '%s', '%s')", $snapshot, $paths[ rand(@paths) ],
				rand() < 0.5 ? random_integer(62) : $spoilt[ rand(@spoilt) ]);
		},
		"'$snapshot'", (map { "'$_'" } @spoilt),
		(map { "'$snapshot'::jsonb #- '$_'" } @paths),
		(map { my $path = $_; map { "jsonb_set('$snapshot', '$path', '$_')" } @spoilt } @paths),
		map { $ahead->($_) } -1, 1, 3600, 86_000, 90_000, 1e9);
	return;
}

# Any of a type: an extreme, or a random one
sub any_of
{
	my ($type, @kinds) = @_;
	my @all = map { @{ $values{$type}{$_} } } @kinds;

	return $all[ rand(@all) ];
}

# Lists of arguments of these types
sub argument_lists
{
	my @types = @_;
	my @lists;

	return [] if !@types;
	foreach my $type (@types)
	{
		die "no values are known of type $type" if !$values{$type};
	}
	if (product(map { scalar @{ $values{$_}{extremes} } } @types) <= CALLS_MAX)
	{
		@lists = ([]);
		foreach my $type (@types)
		{
			@lists = map { my $list = $_; map { [ @$list, $_ ] } @{ $values{$type}{extremes} } } @lists;
		}
	}
	else
	{
		@lists = map { [ map { any_of($_, 'extremes') } @types ] } 1 .. CALLS_MAX;

		# Each one at least once
		foreach my $i (0 .. $#types)
		{
			foreach my $extreme (@{ $values{ $types[$i] }{extremes} })
			{
				my $list = [ map { any_of($_, 'extremes', 'random') } @types ];

				$list->[$i] = $extreme;
				push @lists, $list;
			}
		}
	}
	push @lists, map { [ map { any_of($_, 'extremes', 'random') } @types ] } 1 .. RANDOM_CALLS;
	foreach my $nulls (1 .. 2**@types - 1)
	{
		push @lists, [ map { $nulls & 1 << $_ ? "NULL::$types[$_]" : any_of($types[$_], 'random') } 0 .. $#types ];
	}
	return @lists;
}

my $members = <<'EOF';
(SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
	AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'sno'))
EOF

# The rows of a query, split into columns
sub rows
{
	my ($sql) = @_;

	return map { [ split /\|/, $_, -1 ] } split /\n/, query($sql);
}

# Everything that can be called: what it is, and the calls
sub calls
{
	my @calls;

	foreach my $row (rows(<<"EOF"))
SELECT p.oid::regprocedure, proname, proleakproof, array_to_string(proargtypes::regtype[], ',')
FROM pg_proc AS p JOIN $members AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
ORDER BY p.oid::regprocedure::text
EOF
	{
		my ($name, $function, $leakproof, $types) = @$row;

		push @calls, {
			name => $name,
			is_leakproof => $leakproof eq 't',
			takes_internal => scalar($types =~ /\binternal\b/),
			sql => [ map { "SELECT $function(" . join(', ', @$_) . ')' }
				  argument_lists(split /,/, $types) ] };
	}

	foreach my $row (rows(<<"EOF"))
SELECT o.oid::regoperator, oprname, oprleft::regtype, oprright::regtype, proleakproof
FROM pg_operator AS o JOIN $members AS m ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid
	JOIN pg_proc AS p ON p.oid = oprcode
ORDER BY o.oid::regoperator::text
EOF
	{
		my ($name, $operator, $left, $right, $leakproof) = @$row;

		push @calls, {
			name => "operator $name",
			is_leakproof => $leakproof eq 't',
			sql => [
				(map { "SELECT $_->[0] OPERATOR(public.$operator) $_->[1]" } argument_lists($left, $right)),
				planned_calls($operator, $left, $right) ] };
	}

	foreach my $row (rows(<<"EOF"))
SELECT castsource::regtype, casttarget::regtype
FROM pg_cast AS c JOIN $members AS m ON m.classid = 'pg_cast'::regclass AND m.objid = c.oid
ORDER BY castsource::regtype::text, casttarget::regtype::text
EOF
	{
		my ($source, $target) = @$row;

		push @calls, {
			name => "cast from $source to $target",
			sql => [ map { "SELECT $_->[0]::$target" } argument_lists($source) ] };
	}
	return @calls;
}

# An operator with a column on one side or on both, where the planner has a say
sub planned_calls
{
	my ($operator, $left, $right) = @_;
	my @sql;

	foreach my $table (qw(app.every_index app.every_seq))
	{
		push @sql, map { "SELECT FROM $table WHERE id OPERATOR(public.$operator) $_" }
		  @{ $values{$right}{extremes} }
		  if $left eq 'sno';
		push @sql, map { "SELECT FROM $table WHERE $_ OPERATOR(public.$operator) id" }
		  @{ $values{$left}{extremes} }
		  if $right eq 'sno';
		push @sql, "SELECT FROM $table JOIN (VALUES "
		  . join(', ', map { "($_)" } @{ $values{$right}{extremes} })
		  . ") AS v (value) ON id OPERATOR(public.$operator) value"
		  if $left eq 'sno';
	}
	return @sql;
}

# May the call take any time, so that it has to be cancelled?  A step without end,
# which sno_create_partitions refuses, sno_missing_partitions follows.
sub is_slow
{
	my ($sql) = @_;

	return $sql =~ /SELECT sno_(?:create|missing)_partitions\(/
	  || $sql =~ /SELECT sno_generate_(?:many|array)\(\((\d+)\)/ && $1 >= SLOW_COUNT;
}

# Makes the calls as that role, each a statement of its own in one session, and
# notes the SQLSTATE of each, or ''
sub make_calls
{
	my ($role, @calls) = @_;
	my $script = ids_file("calls_$role.sql");
	my $offset = -s $server->logfile;
	my $start = time;
	my $output = '';
	my @statements = (
		'\set ON_ERROR_STOP off', '\set VERBOSITY sqlstate',
		'SET statement_timeout = ' . TIMEOUT . ';', "SET sno.wait_timeout = '10ms';", 'SET client_min_messages = error;');
	my (@owners, $errors, $psql);

	foreach my $call (@calls)
	{
		$call->{outcomes} = [ ('') x @{ $call->{sql} } ];
		foreach my $i (0 .. $#{ $call->{sql} })
		{
			push @statements, 'SET statement_timeout = ' . SLOW_TIMEOUT . ';' if is_slow($call->{sql}[$i]);
			push @statements, "$call->{sql}[$i];";
			$owners[@statements] = [ $call, $i ];
			push @statements, 'SET statement_timeout = ' . TIMEOUT . ';' if is_slow($call->{sql}[$i]);
		}
	}
	unlink $script;
	append_to_file($script, join("\n", (map { my $line = $_; utf8::encode($line); $line } @statements), "\\echo the end\n"));

	$psql = IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $server->connstr('postgres') . " user=$role client_encoding=UTF8", '-f', $script ],
		'<', '/dev/null', '>', sub { $output = substr($output . $_[0], -100) }, '2>', \$errors);
	$psql->finish;
	note sprintf('%d statements in %.1f s', scalar @statements, time - $start);

	while ($errors =~ /^psql:[^\n]*?:(\d+): \w+:  (\w{5})$/mg)
	{
		my ($call, $i) = @{ $owners[$1] };

		$call->{outcomes}[$i] = $2;
	}
	like($output, qr/the end$/, "$role: the session survives all calls");
	is(query('SELECT pg_postmaster_start_time()'), $cluster_start, "$role: the server was not restarted");
	unlike(slurp_file($server->logfile, $offset), qr/PANIC|TRAP|was terminated|Failed process/,
		"$role: and no process of it failed");
	return;
}

# The first few calls of an object that did not end as they should
sub wrong_calls
{
	my ($call, $is_right) = @_;
	my @wrong = grep { !$is_right->($call->{outcomes}[$_], $call->{sql}[$_]) } 0 .. $#{ $call->{sql} };

	return join("\n", map { sprintf("%s: %.300s", $call->{outcomes}[$_], $call->{sql}[$_]) } @wrong[ 0 .. min(2, $#wrong) ]);
}

sub check_outcomes
{
	my ($role, @calls) = @_;

	foreach my $call (@calls)
	{
		my $count = @{ $call->{sql} };
		my $name = "$role: $call->{name}";

		if ($call->{takes_internal})
		{
			is(wrong_calls($call, sub { $_[0] =~ /^(0A000|42846|42883)$/ || $_[0] eq '' && $_[1] =~ /NULL::internal/ }),
				'', "$name: no argument is internal but null");
			next;
		}
		is( wrong_calls($call,
				sub { $_[0] eq '' || $documented{ $_[0] } || ($_[0] eq '57014' && is_slow($_[1])) }),
			'', "$name: each of $count calls returns, or ends in an error that is documented");
		is(wrong_calls($call, sub { $_[0] eq '' }), '', "$name is leakproof: no error tells of its arguments")
		  if $call->{is_leakproof};
	}
	return;
}

sub take_ids
{
	my $file = ids_file('ids_' . @id_files);

	run_sessions(
		{   server => $server,
			database => 'postgres',
			output => $file,
			sql => "COPY (SELECT sno_generate_many(${\IDS})) TO STDOUT;\n" });
	push @id_files, $file;
	return;
}

query(<<'EOF');
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
define_values();

# Ids with each kind of index and with none, and with statistics
{
	my $ids = join(', ', map { "($_)" } map { @{ $values{sno}{$_} } } qw(extremes random));

	query(<<"EOF");
CREATE TABLE app.every_seq AS SELECT id FROM (VALUES $ids) AS v (id);
CREATE TABLE app.every_index AS TABLE app.every_seq;
CREATE INDEX ON app.every_index USING btree (id);
CREATE INDEX ON app.every_index USING hash (id);
CREATE INDEX ON app.every_index USING brin (id);
CREATE INDEX ON app.every_index USING brin (id sno_minmax_multi_ops);
CREATE INDEX ON app.every_index USING brin (id sno_bloom_ops);
ANALYZE app.every_seq, app.every_index;
GRANT SELECT ON app.every_seq, app.every_index TO ordinary;
EOF
}

is(query(<<"EOF"), '', 'every function with an internal argument is strict');
SELECT p.oid::regprocedure FROM pg_proc AS p JOIN $members AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE 'internal'::regtype = ANY (proargtypes) AND NOT proisstrict
EOF
is(query(<<"EOF"), '', 'none makes something internal of other values');
SELECT p.oid::regprocedure FROM pg_proc AS p JOIN $members AS m ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid
WHERE prorettype = 'internal'::regtype AND NOT 'internal'::regtype = ANY (proargtypes)
EOF

my @calls = calls();
cmp_ok(scalar @calls, '>', 100, scalar @calls . ' functions, operators and casts are called');

take_ids();
foreach my $role (qw(ordinary super))
{
	make_calls($role, @calls);
	check_outcomes($role, @calls);
	if ($role eq 'ordinary')
	{
		foreach my $call (grep { $_->{name} =~ /^sno_(snapshot|restore|reset|stat_reset)\(/ } @calls)
		{
			# With a null it is not called
			is(wrong_calls($call, sub { $_[0] eq '42501' || $_[1] =~ /NULL::/ }),
				'', "$role: $call->{name} is not for everybody");
		}
	}

	# What was restored may be a day ahead of the clock
	query('SELECT sno_reset()');
	take_ids();
}
is(id_count(@id_files), IDS * @id_files, 'ids are made before, between and after');
is(duplicates(@id_files), 0, 'and none of them comes twice');

done_testing();

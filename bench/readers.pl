# readers.pl
#	Those who read new rows, each with its own table in a schema of its own; and the
#	writers, and what is measured.  bench/readers says what, and runs it.
use strict;
use warnings FATAL => 'all';

use DBI;
use IO::Handle;
use IO::Select;
use List::Util qw(shuffle sum0);
use POSIX ();
use Time::HiRes qw(time sleep);

my ($postmaster, $chosen, $rounds, $seconds, $held_s, $rows) = @ARGV;

# How long a reader goes on when the writers have ended
my $patience_s = 4;

# What a poll is: statements of one transaction, of which the last returns what is new
sub statements
{
	my @texts = @_;
	return sub {
		my ($db) = @_;
		my @statements = map { $db->prepare($_, { pg_prepare_now => 1 }) } @texts;
		return sub {
			$_->execute foreach @statements;
			return map { $_->[0] } @{ $statements[-1]->fetchall_arrayref };
		};
	};
}

# The same with a cursor that moves after the work: the bound, the rows, and the move to
# the last row, by its last column, and perhaps by all ids
sub moving
{
	my @texts = @_;
	return sub {
		my ($db) = @_;
		my ($bound, $rows, $move) = map { $db->prepare($_, { pg_prepare_now => 1 }) } @texts;
		return sub {
			$bound->execute;
			$rows->execute;
			my @rows = @{ $rows->fetchall_arrayref };
			my @ids = map { $_->[0] } @rows;
			$move->execute($rows[-1][-1], $texts[2] =~ /early/ ? [@ids] : ()) if @rows;
			return @ids;
		};
	};
}

# Each writer has a shared lock on the number that was the last before its own: numbers
# below the least lock are resolved
sub below_locks
{
	my ($db) = @_;
	my $highest = $db->prepare("SELECT last_value FROM event_id_seq");
	my $lowest = $db->prepare("SELECT min(objid::bigint) FROM pg_locks
		WHERE locktype = 'advisory' AND classid = 7 AND objsubid = 2");
	my $new = $db->prepare("SELECT id FROM event WHERE id > (SELECT last FROM reader) AND id <= ? ORDER BY id LIMIT 1000");
	my $move = $db->prepare("UPDATE reader SET last = ?");
	return sub {
		my ($upto) = $db->selectrow_array($highest);
		my ($lock) = $db->selectrow_array($lowest);
		my @ids = @{ $db->selectcol_arrayref($new, {}, $lock // $upto) };
		$move->execute($ids[-1]) if @ids;
		return @ids;
	};
}

my $last = "
	WITH new AS MATERIALIZED (SELECT id FROM event WHERE id > (SELECT last FROM reader) ORDER BY id LIMIT 1000),
		moved AS (UPDATE reader SET last = id FROM (SELECT id FROM new ORDER BY id DESC LIMIT 1) AS n)
	SELECT id FROM new";

# Waits for a missing number until the one after it has been known for so long
sub wait_for_gaps
{
	my ($timeout_s) = @_;
	return sub {
		my ($db) = @_;
		my $new = $db->prepare("SELECT id FROM event WHERE id > ? ORDER BY id LIMIT ?");
		my $highest = $db->prepare("SELECT max(id) FROM event", { pg_prepare_now => 1 });
		my $store = $db->prepare("UPDATE reader SET last = ?");
		my ($last) = $db->selectrow_array("SELECT last FROM reader");
		my ($safe, $waits, @known) = ($last);
		return sub {
			my $ids = $db->selectcol_arrayref($new, {}, $last, $waits ? 1 : 1000);
			my @read;
			push @known, [ time, $db->selectrow_array($highest) ];
			$safe = (shift @known)->[1] while $known[0][0] < time - $timeout_s;
			foreach my $id (@$ids)
			{
				last if $id > $last + 1 && $id > $safe;
				push @read, $last = $id;
			}
			$waits = @read < @$ids;
			$store->execute($last) if @read;
			return @read;
		};
	};
}

# Goes on, and asks for missing numbers with each poll until so much later
sub remember_gaps
{
	my ($timeout_s) = @_;
	return sub {
		my ($db) = @_;
		my $new = $db->prepare("
			SELECT id FROM event WHERE id = ANY (?::bigint[])
			UNION ALL (SELECT id FROM event WHERE id > ? ORDER BY id LIMIT 1000)");
		my $store = $db->prepare("UPDATE reader SET last = ?, gaps = ?");
		my ($last) = $db->selectrow_array("SELECT last FROM reader");
		my %since;
		return sub {
			my $ids = $db->selectcol_arrayref($new, {}, [ keys %since ], $last);
			my $forgotten = time - $timeout_s;
			delete @since{@$ids};
			foreach my $id (grep { $_ > $last } @$ids)
			{
				$since{$_} = time foreach $last + 1 .. $id - 1;
				$last = $id;
			}
			delete @since{ grep { $since{$_} < $forgotten } keys %since };
			$store->execute($last, [ keys %since ]) if @$ids;
			return @$ids;
		};
	};
}

# What arrives at once; and who sends it, as the second value
sub stream
{
	my ($db) = @_;
	my ($slot) = $db->selectrow_array("SELECT current_schema");
	my ($text, $sender) = ("");
	my $pid = open my $pipe, "-|", "pg_recvlogical", "--start", "--slot=$slot", "--dbname=postgres", "--file=-",
		"--fsync-interval=0", "--option=skip-empty-xacts=1", "--option=include-xids=0"
		or die "pg_recvlogical: $!";
	$pipe->blocking(0);
	($sender) = $db->selectrow_array("SELECT active_pid FROM pg_replication_slots WHERE slot_name = ?", {}, $slot)
	  until $sender;
	return sub {
		sysread $pipe, $text, 1 << 16, length $text;
		return $text =~ s/^(.*\n)//s ? $1 =~ /^table \Q$slot\E\.event: INSERT: id\[bigint\]:(\d+)/mg : ();
	}, $sender, $pipe, $pid;
}

my $identity = "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
my $uuid = "id uuid PRIMARY KEY DEFAULT uuidv7()";
my $sno = "id sno PRIMARY KEY DEFAULT sno_generate()";
my $insert = "INSERT INTO event (writer) SELECT 1 FROM generate_series(1, :count)";
my $from_last = "SELECT id AS last FROM event ORDER BY id DESC LIMIT 1";

# Each has its columns, what a writer does, the reader's row, and the reader
my @rivals = (
	[ "sno, in order", $sno, [$insert], "SELECT upto AS since, upto FROM sno_resolved() AS upto", moving(
		"UPDATE reader SET upto = sno_resolved(upto)",
		"SELECT id FROM event WHERE id > (SELECT since FROM reader) AND id <= (SELECT upto FROM reader)
			ORDER BY id LIMIT 1000",
		"UPDATE reader SET since = ?") ],
	[ "sno.sql, in order", "id uuid PRIMARY KEY DEFAULT ids.sno_generate_uuid()", [$insert],
		"SELECT upto AS since, upto FROM ids.sno_resolved() AS upto", moving(
		"UPDATE reader SET upto = ids.sno_resolved(upto)",
		"SELECT id FROM event WHERE id > (SELECT since FROM reader) AND id <= (SELECT upto FROM reader)
			ORDER BY id LIMIT 1000",
		"UPDATE reader SET since = ?") ],
	[ "sno, at once", $sno, [$insert], "SELECT upto AS since, upto, '{}'::sno[] AS early FROM sno_resolved() AS upto;
		ALTER TABLE reader ADD until sno
			GENERATED ALWAYS AS (CASE WHEN cardinality(early) < 10000 THEN sno_max() ELSE upto END) STORED", moving(
		"UPDATE reader SET upto = sno_resolved(upto)",
		"SELECT id, least(id, (SELECT upto FROM reader)) AS since FROM event WHERE id > (SELECT since FROM reader)
			AND id <= (SELECT until FROM reader) AND id NOT IN (SELECT unnest(early) FROM reader) ORDER BY id LIMIT 1000",
		"UPDATE reader SET since = \$1,
			early = ARRAY(SELECT id FROM unnest(early || \$2::sno[]) AS id WHERE id > \$1::sno)") ],
	[ "a lock a number", $identity,
		[ "SELECT pg_advisory_xact_lock_shared(7, last_value::integer) FROM event_id_seq", $insert ],
		$from_last, \&below_locks ],
	[ "id > last, identity", $identity, [$insert], $from_last, statements($last) ],
	[ "id > last, uuid", $uuid, [$insert], $from_last, statements($last) ],
	[ "id > last, sno", $sno, [$insert], $from_last, statements($last) ],
	[ "1 s later", "$identity, at timestamptz NOT NULL DEFAULT clock_timestamp()", [$insert],
		"SELECT clock_timestamp() AS since, clock_timestamp() AS upto", statements(
		"UPDATE reader SET since = upto, upto = greatest(upto, clock_timestamp() - interval '1 s')",
		"SELECT id FROM reader JOIN event ON at >= since AND at < upto ORDER BY at"), "(at)" ],
	[ "xid8", "$identity, xid xid8 NOT NULL DEFAULT pg_current_xact_id()", [$insert],
		"SELECT upto AS since, upto FROM pg_snapshot_xmin(pg_current_snapshot()) AS upto", statements(
		"UPDATE reader SET since = upto, upto = pg_snapshot_xmin(pg_current_snapshot())",
		"SELECT id FROM reader JOIN event ON xid >= since AND xid < upto ORDER BY xid, id"), "(xid, id)" ],
	[ "one lock", $identity, [ "SELECT pg_advisory_xact_lock(1)", $insert ], $from_last, statements($last) ],
	[ "gaps, awaited", $identity, [$insert], $from_last, wait_for_gaps(3) ],
	[ "gaps, remembered", $identity, [$insert],
		"SELECT id AS last, '{}'::bigint[] AS gaps FROM event ORDER BY id DESC LIMIT 1", remember_gaps(60) ],
	[ "outbox", $identity, ["WITH new AS ($insert RETURNING id) INSERT INTO outbox SELECT id FROM new"],
		"SELECT", statements(
		"DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 1000 FOR UPDATE SKIP LOCKED)
			RETURNING id") ],
	[ "decoding, streamed", $identity, [$insert], "SELECT", \&stream ],
	[ "decoding, polled", $identity, [$insert], "SELECT", statements(
		"SELECT substring(data FROM ' id\\[bigint\\]:(\\d+)')
		FROM pg_logical_slot_get_changes(current_schema, NULL, NULL, 'skip-empty-xacts', '1', 'include-xids', '0')
		WHERE data LIKE format('table %s.event:%%', current_schema)") ]);
@rivals = map { my %rival; @rival{qw(name columns insert reader poll index)} = @$_; \%rival } @rivals;
@rivals = grep { $_->{name} =~ /^($chosen)$/ } @rivals;
$_->{place} = "r_" . ($_->{name} =~ s/\W+/_/gr) foreach @rivals;

# A session that finds the tables of the rival
sub connect_to
{
	my ($rival) = @_;
	local $ENV{PGOPTIONS} = "-c search_path=$rival->{place},public -c client_min_messages=warning";
	return DBI->connect("dbi:Pg:", "", "", { RaiseError => 1, PrintError => 0 });
}

# Its tables, with rows of writer 0 that have been read
sub create
{
	my ($rival) = @_;
	my $db = connect_to($rival);
	$db->do($_) foreach (
		"CREATE SCHEMA $rival->{place}",
		"CREATE TABLE event ($rival->{columns}, writer integer)",
		$rival->{index} ? "CREATE INDEX ON event $rival->{index}" : (),
		"INSERT INTO event (writer) SELECT 0 FROM generate_series(1, $rows)",
		"CREATE TABLE outbox (id bigint PRIMARY KEY)",
		"CREATE TABLE handled ($rival->{columns})",
		"CREATE TABLE seen (id text, at float8)",
		"CREATE TABLE work (polls bigint, us float8)",
		"VACUUM ANALYZE event",
		"CREATE TABLE reader AS $rival->{reader}");
}

sub drop
{
	my ($rival) = @_;
	my $db = connect_to($rival);
	$db->do("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '$rival->{place}'");
	$db->do("DROP SCHEMA $rival->{place} CASCADE");
}

# The numbers that the kernel has of a process, as proc(5) counts them from 1 on
sub numbers_of
{
	my ($pid) = @_;
	open my $file, "<", "/proc/$pid/stat" or return (0) x 18;
	return (0, split " ", (<$file> // "0 () " . "0 " x 20) =~ s/\(.*\)/-/r);
}

# Microseconds that processors have worked
sub microseconds
{
	return sum0(@_) * 1e6 / POSIX::sysconf(POSIX::_SC_CLK_TCK());
}

# By a process
sub worked
{
	return microseconds((numbers_of($_[0]))[ 14, 15 ]);
}

# By all processes of the server, those that have ended included
sub server_worked
{
	my @children = grep { $_->[4] == $postmaster } map { [ numbers_of(m{(\d+)}) ] } glob "/proc/[0-9]*";
	return microseconds((numbers_of($postmaster))[ 16, 17 ], map { @$_[ 14, 15 ] } @children);
}

# In a process of its own: reads until SIGTERM says that the writers have ended, and
# all is read or patience ends.  With a pause, polls after it, else when notified.
sub read_rows
{
	my ($rival, $pause_s, $ready, $writes) = @_;
	my $db = connect_to($rival);
	my $handled = $writes && $db->prepare("INSERT INTO handled SELECT FROM generate_series(1, ?)");
	$db->do("SELECT pg_create_logical_replication_slot(current_schema, 'test_decoding')") if $rival->{name} =~ /^decoding/;
	my ($poll, $pid, $input, $program) = $rival->{poll}->($db);
	my $select = IO::Select->new($input // $db->{pg_socket});
	my ($ended, $written, $polls, %read, @work) = (undef, undef, 0);
	local $SIG{TERM} = sub { $ended = time };

	$pid //= $db->{pg_pid};
	$db->do("LISTEN $rival->{place}") unless $pause_s;
	my $before = worked($pid);
	print $ready "ready\n";
	close $ready;
	while (1)
	{
		my $complete;
		if ($ended)
		{
			@work = ($polls, worked($pid) - $before) unless @work;
			($written) = $db->selectrow_array("SELECT count(*) FROM event WHERE writer > 0") unless $written;
			$complete = keys %read >= $written || time > $ended + $patience_s;
		}
		$db->begin_work unless $input;
		my @ids = $poll->();
		my $now = time;
		$handled->execute(scalar @ids) if $handled && @ids;
		push @{ $read{$_} }, $now foreach @ids;
		$db->commit unless $input;
		$polls++ if @ids || !$input;
		last if $complete;
		if ($pause_s && !$input)
		{
			sleep $pause_s;
		}
		elsif ($input || !$db->pg_notifies)
		{
			$select->can_read($ended ? 0.01 : 1);
		}
	}
	kill TERM => $program if $program;
	$db->do("INSERT INTO work VALUES (?, ?)", {}, @work);
	$db->do("COPY seen FROM STDIN");
	foreach my $id (keys %read)
	{
		$db->pg_putcopydata("$id\t$_\n") foreach @{ $read{$id} };
	}
	$db->pg_putcopyend;
}

# What runs in the background, until it is waited for
sub start
{
	my ($run) = @_;
	my $pid = fork // die "fork: $!";
	return $pid if $pid;
	eval { $run->(); 1 } or warn $@;
	POSIX::_exit($@ ? 1 : 0);
}

sub finish
{
	foreach my $pid (@_)
	{
		waitpid $pid, 0;
		die "a reader or writer has failed\n" if $?;
	}
}

sub start_readers
{
	my ($pause_s, $writes, @who) = @_;
	my @readers;
	foreach my $rival (@who)
	{
		pipe my $is_ready, my $ready or die "pipe: $!";
		push @readers, start(sub { read_rows($rival, $pause_s, $ready, $writes) });
		close $ready;
		<$is_ready> // die "$rival->{name} cannot read\n";
	}
	return @readers;
}

# A script for pgbench
sub start_writers
{
	my ($rival, $for_s, $script, @options) = @_;
	open my $file, ">", "$ENV{scratch}/$rival->{place}.sql" or die "script: $!";
	print $file $script;
	close $file;
	return start(sub {
		$ENV{PGOPTIONS} = "-c search_path=$rival->{place},public";
		open STDOUT, ">", "/dev/null" or die "/dev/null: $!";
		open STDERR, ">", "$ENV{scratch}/pgbench.log" or die "pgbench.log: $!";
		exec "pgbench", "-n", "-T", $for_s, "-f", "$ENV{scratch}/$rival->{place}.sql", @options;
	});
}

# The statements of a writer, of which each inserts so many rows
sub inserts
{
	my ($rival, $count) = @_;
	return map { s/:count/$count/r } @{ $rival->{insert} };
}

sub row
{
	print join("\t", @_), "\n";
}

# What has become of the rows
sub judge
{
	my ($round, $case, $rival) = @_;
	my $db = connect_to($rival);
	my ($written, $missed, $twice, $median, $most, $strange) = $db->selectrow_array("
		WITH wrote AS (SELECT id::text, extract(epoch FROM pg_xact_commit_timestamp(xmin)) AS at FROM event WHERE writer > 0),
			read AS (SELECT id, min(at) AS at, count(*) - 1 AS again FROM seen GROUP BY id)
		SELECT count(wrote), count(*) FILTER (WHERE read IS NULL), coalesce(sum(again), 0),
			percentile_cont(0.5) WITHIN GROUP (ORDER BY (read.at - wrote.at) * 1000),
			percentile_cont(0.99) WITHIN GROUP (ORDER BY (read.at - wrote.at) * 1000),
			count(*) FILTER (WHERE wrote IS NULL)
		FROM wrote FULL JOIN read USING (id)");
	die "$rival->{name} has read $strange rows that no writer has written\n" if $strange;
	die "$rival->{name} has read rows twice: $twice\n" if $twice;
	die "$rival->{name} has read nothing\n" unless defined $median;
	row($round, $case, $rival->{name}, @$_) foreach (
		[ "% missed", sprintf "%.2f", 100 * $missed / $written ],
		[ "ms to read, median", sprintf "%.2f", $median ],
		$case eq "8 writers" ? [ "ms to read, 99 %", sprintf "%.2f", $most ] : ());
	return ($db, $written);
}

# Many writers, of whose transactions some last so many milliseconds, and one rival, whose
# handler may write a row with an id for each that it reads
sub crowd
{
	my ($round, $case, $rival, $slow_ms, $in, $writes) = @_;
	create($rival);
	my $insert = join ";\n", inserts($rival, 3);
	my @readers = start_readers(0.002, $writes, $rival);
	my $before = server_worked();
	finish(start_writers($rival, $seconds, <<"END", "-c", 8));
\\set ms random(0, 6)
\\set kind random(1, $in)
\\set slow $slow_ms
BEGIN;
$insert;
\\if :kind <= 1
\\sleep :slow ms
ROLLBACK;
\\elif :kind <= 3
\\sleep :slow ms
COMMIT;
\\elif :kind <= 5
PREPARE TRANSACTION 'writer :client_id';
\\sleep :slow ms
COMMIT PREPARED 'writer :client_id';
\\else
\\sleep :ms ms
COMMIT;
\\endif
END
	my $worked = server_worked() - $before;
	kill TERM => @readers;
	finish(@readers);
	my ($db, $written) = judge($round, $case, $rival);
	my ($polls, $us) = $db->selectrow_array("SELECT * FROM work");
	row($round, $case, $rival->{name}, @$_) foreach $case ne "8 writers" ? () : (
		[ "processor us a poll", sprintf "%.1f", $us / $polls ],
		[ "server us a row", sprintf "%.1f", $worked / $written ]);
	drop($rival);
}

# Single rows of all rivals, beside a transaction that may be open, and is returned
sub isolated
{
	my ($round, $case, $hold, $factor) = @_;
	my $for_s = $held_s * ($factor // 1);
	create($_) foreach @rivals;
	my @readers = start_readers(0, 0, @rivals);
	my @held = $hold->();
	my @writers = map {
		start_writers($_, $for_s, join(" \\; ", inserts($_, 1), "NOTIFY $_->{place};\n"), "-R", 15)
	} @rivals;
	if (@held)
	{
		sleep $for_s;
		$_->commit foreach @held;
	}
	finish(@writers);
	kill TERM => @readers;
	finish(@readers);
	judge($round, $case, $_) foreach @rivals;
	drop($_) foreach @rivals;
}

sub no_transaction
{
	return;
}

sub of_another_database
{
	my $db = DBI->connect("dbi:Pg:dbname=other", "", "", { RaiseError => 1, PrintError => 0 });
	$db->do("CREATE TABLE IF NOT EXISTS event (n integer)");
	$db->begin_work;
	$db->do("INSERT INTO event VALUES (1)");
	return $db;
}

sub of_another_database_with_an_id
{
	my $db = of_another_database();
	$db->do("SELECT sno_generate()");
	return $db;
}

# One transaction for all tables
sub that_made_an_id
{
	my $db = connect_to($rivals[0]);
	$db->begin_work;
	foreach my $rival (@rivals)
	{
		$db->do("SET LOCAL search_path = $rival->{place}, public");
		$db->do($_) foreach inserts($rival, 1);
	}
	return $db;
}

STDOUT->autoflush;
foreach my $round (1 .. $rounds)
{
	print STDERR "# readers: round $round of $rounds\n";
	crowd($round, "8 writers", $_, 150, 400) foreach shuffle @rivals;
	crowd($round, "transactions of 1 to 3 s", $_, "random(1000, 3000)", 4000) foreach shuffle @rivals;
	crowd($round, "a handler that writes", $_, 150, 400, 1) foreach shuffle @rivals;
	isolated($round, "isolated", \&no_transaction);
	isolated($round, "beside another database", \&of_another_database);
	isolated($round, "beside an id of another database", \&of_another_database_with_an_id);
	isolated($round, "beside an id", \&that_made_an_id);
	isolated($round, "beside an id for 30 s", \&that_made_an_id, 3);
}

# SoakClient.pm
#	A client: a process that generates ids in session after session, in all the
#	ways there are, and writes each one down as it comes in.
#
# Where to connect is said by a file that SoakClients.pm writes.  For each life
# of the server (see SoakLives.pm) a client has a file of the ids it received,
# and one of those in rows whose commit was confirmed.  The ids it received from
# INSERT, committed or not, also go to a file for all lives.
package SoakClient;

use strict;
use warnings FATAL => 'all';

use IO::Handle;
use Time::HiRes qw(usleep);

use SnoTest qw(ids_file);
use SoakConnection;
use SoakDice;
use SoakTime;

use constant REPORT_S => 0.5;
use constant CATCH_UP_S => 2;

# Sets of ids are up to this large
use constant SET_MAX => 100_000;

# What a server that goes down, or is not there yet, may say
my %going_down = map { $_ => 1 } qw(57P01 57P02 57P03);

# The kinds of statements, and how often each is sent
my @statements = (
	(\&single_ids) x 4,
	(\&copy_many) x 4,
	(\&copy_series) x 2,
	(\&select_many) x 2,
	(\&select_array) x 3,
	(\&insert_rows) x 3,
	(\&transaction) x 4,
	(\&cursor) x 2,
	\&parallel_scan);

# new(number =>, seed =>, target => FILE, reports => HANDLE, user =>,
#	ids_per_s =>, rows_per_s =>, parallel => whether to use workers)
sub new
{
	my ($class, %params) = @_;

	return bless {
		%params,
		answered => 0,				# the serial of the last order to let go
		life => 0,					# of the server, as long as the files are open
		due_s => 0,					# when the next statement may be sent
		reported_s => 0,
		statements => 0,			# sent so far, each with dice of its own
		connections => 0,			# likewise
		received => 0, rows => 0, timeouts => 0, sessions => 0, longest_wait_s => 0 }, $class;
}

# Until it is told to stop
sub run
{
	my ($client) = @_;

	for (;;)
	{
		my $target = $client->read_target;

		if ($target->{verb} eq 'open')
		{
			$client->session($target);
			next;
		}
		$client->let_go($target->{serial});
		return if $target->{verb} eq 'stop';
		usleep(20_000);
	}
}

sub read_target
{
	my ($client) = @_;
	my %target;

	open(my $file, '<', $client->{target}) or die "$client->{target}: $!\n";
	@target{qw(verb serial life host port)} = split ' ', scalar <$file>;
	close $file;
	return \%target;
}

# Closes the files of a life that is over, and says so, once
sub let_go
{
	my ($client, $serial) = @_;

	return if $client->{answered} == $serial;
	$client->report(1);
	if ($client->{life})
	{
		foreach my $kind (qw(ids committed inserted))
		{
			close $client->{$kind} or die "cannot write ids: $!\n";
		}
	}
	$client->tell("held $serial");
	$client->{answered} = $serial;
	$client->{life} = 0;
	return;
}

sub take_up
{
	my ($client, $life) = @_;

	return if $client->{life} == $life;
	foreach my $kind (qw(ids committed inserted))
	{
		my $name = "${kind}_$client->{number}";

		$name .= "_$life" if $kind ne 'inserted';
		open($client->{$kind}, '>>', ids_file($name)) or die "$name: $!\n";
		$client->{$kind}->autoflush(1);
	}
	$client->{life} = $life;
	return;
}

sub write_ids
{
	my ($client, $kind, $text) = @_;

	print { $client->{$kind} } $text or die "cannot write ids: $!\n";
	return;
}

sub tell
{
	my ($client, $text) = @_;

	$text =~ tr/\n/ /;
	syswrite($client->{reports}, substr("$client->{number} $text", 0, 400) . "\n")
	  or die "nobody listens any more\n";
	return;
}

# Tells how things are going, at most twice a second unless it must be now
sub report
{
	my ($client, $now) = @_;
	my $time_s = now_s();

	return if !$now && $time_s - $client->{reported_s} < REPORT_S;
	$client->tell(sprintf 'progress %d %d %d %d %.3f',
		@{$client}{qw(received rows timeouts sessions longest_wait_s)});
	$client->{reported_s} = $time_s;
	@{$client}{qw(received rows timeouts sessions)} = (0) x 4;
	return;
}

# A connection, and statements until the server goes or it is time for another
sub session
{
	my ($client, $target) = @_;
	my $dice = SoakDice->new($client->{seed},
		"client $client->{number} connection " . $client->{connections}++);
	my $statements = $dice->count(20, 2000);
	my $wait_timeout = $dice->pick(-1, -1, -1, '0', '20ms', '300ms', '2s');

	$client->{waits_for_ever} = $wait_timeout eq '-1';
	return if !$client->connect($target, "-c sno.wait_timeout=$wait_timeout");
	while ($statements-- > 0 && !$client->{connection}->is_lost)
	{
		$client->{dice} = SoakDice->new($client->{seed},
			"client $client->{number} statement " . $client->{statements}++);
		$client->{dice}->pick(@statements)->($client);
		last if !$client->pause;
	}
	$client->{connection}->quit;
	$client->report;
	return;
}

# False if the server, or the life the target is about, is not there
sub connect
{
	my ($client, $target, $options) = @_;
	my $error;

	$client->{connection} = SoakConnection->new(
		host => $target->{host},
		port => $target->{port},
		user => $client->{user},
		name => "client $client->{number}",
		options => "-c statement_timeout=0 $options"
		  . ' -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0');
	$error = $client->{connection}->error;
	die "cannot connect: $error->{sqlstate} $error->{message}\n"
	  if $error && !$going_down{ $error->{sqlstate} };
	if ($client->{connection}->is_lost)
	{
		$client->report;
		usleep(20_000);
		return 0;
	}

	# If the order is still in force after the connection was made, the
	# connection is one to the life the order is about
	if ($client->read_target->{serial} != $target->{serial})
	{
		$client->{connection}->quit;
		return 0;
	}
	$client->take_up($target->{life});
	$client->{sessions}++;
	return 1;
}

# Keeps to the rate; false if it is time to stop
sub pause
{
	my ($client) = @_;
	my $earliest_s = now_s() - CATCH_UP_S;

	$client->{due_s} = $earliest_s if $client->{due_s} < $earliest_s;
	for (;;)
	{
		my $left_s = $client->{due_s} - now_s();

		$client->report;
		return 0 if $client->read_target->{verb} eq 'stop';
		return 1 if $left_s <= 0;
		usleep(1e6 * ($left_s < 0.2 ? $left_s : 0.2));
	}
}

# Sends a statement whose result is ids, which are also given to the code if
# there is one; true if it succeeded
sub generate
{
	my ($client, $sql, $take_also) = @_;
	my $start_s = now_s();
	my $answer = $client->{connection}->query($sql,
		sub {
			my ($text, $count) = @_;

			if (defined $start_s)
			{
				my $wait_s = now_s() - $start_s;

				$client->{longest_wait_s} = $wait_s if $client->{longest_wait_s} < $wait_s;
				$start_s = undef;
			}
			$client->write_ids('ids', $text);
			$client->{received} += $count;
			$client->{due_s} += $count / $client->{ids_per_s};
			$take_also->($text, $count) if $take_also;
			$client->report;
		});

	return $client->judge($sql, $answer);
}

# Sends any other statement; true if it did what its tag says
sub execute
{
	my ($client, $sql, $tag) = @_;
	my $answer = $client->{connection}->query($sql);

	$client->judge($sql, $answer);
	return defined $answer->{tag} && $answer->{tag} eq $tag;
}

# Did a statement succeed?  Dies if it should have and did not.
sub judge
{
	my ($client, $sql, $answer) = @_;
	my $error = $answer->{error};

	return !$client->{connection}->is_lost if !$error;
	if ($error->{sqlstate} eq '55P03'
		&& $error->{message} =~ /could not generate a sno/
		&& !$client->{waits_for_ever})
	{
		$client->{timeouts}++;
		$client->{due_s} += 0.05;
	}
	elsif (!$going_down{ $error->{sqlstate} })
	{
		die "$sql: $error->{sqlstate} $error->{message} $error->{detail}\n";
	}
	return 0;
}

# Mostly 0, where ids of all calls compete
sub meta
{
	my ($client) = @_;

	return $client->{dice}->chance(0.8) ? 0 : int $client->{dice}->uniform(0, 256);
}

sub single_ids
{
	my ($client) = @_;

	foreach (1 .. $client->{dice}->count(1, 100))
	{
		$client->generate($client->{dice}->pick(
				'SELECT sno_generate()',
				'SELECT sno_generate(' . $client->meta . ')',
				'SELECT sno_generate(), sno_generate(), sno_generate(9)')) or last;
	}
	return;
}

sub copy_many
{
	my ($client) = @_;
	my $count = $client->{dice}->count(1, SET_MAX);

	$client->generate("COPY (SELECT sno_generate_many($count, ${\$client->meta})) TO STDOUT");
	return;
}

# The clock is read for each id
sub copy_series
{
	my ($client) = @_;
	my $count = $client->{dice}->count(1, SET_MAX / 10);

	$client->generate(
		"COPY (SELECT sno_generate(${\$client->meta}) FROM generate_series(1, $count)) TO STDOUT");
	return;
}

sub select_many
{
	my ($client) = @_;
	my $count = $client->{dice}->count(1, SET_MAX / 10);

	$client->generate($client->{dice}->chance(0.8)
		? "SELECT sno_generate_many($count, ${\$client->meta})"
		: "SELECT sno_generate_many($count) LIMIT $count / 2");
	return;
}

sub select_array
{
	my ($client) = @_;
	my $count = $client->{dice}->count(1, SET_MAX / 5);

	$client->generate("SELECT sno_generate_array($count, ${\$client->meta})");
	return;
}

sub parallel_scan
{
	my ($client) = @_;

	return if !$client->{parallel};
	$client->generate('COPY (SELECT sno_generate() FROM many) TO STDOUT');
	return;
}

# Rows, whose ids are put into the text as well; true if it succeeded
sub insert
{
	my ($client, $ids) = @_;
	my $count = $client->{dice}->count(1, 1000);

	return $client->generate(
		"INSERT INTO made SELECT sno_generate(${\$client->meta}), $client->{number}, $client->{life}"
		  . " FROM generate_series(1, $count) RETURNING id",
		sub {
			my ($text, $received) = @_;

			$client->write_ids('inserted', $text);
			$$ids .= $text;
			$client->{rows} += $received;
			$client->{due_s} += $received / $client->{rows_per_s};
		});
}

sub insert_rows
{
	my ($client) = @_;
	my $ids = '';

	$client->write_ids('committed', $ids) if $client->insert(\$ids);
	return;
}

sub transaction
{
	my ($client) = @_;
	my $dice = $client->{dice};
	my $rolls_back = $dice->chance(0.3);
	my $going = $client->execute('BEGIN', 'BEGIN');
	my $ids = '';

	foreach (1 .. $dice->count(1, 5))
	{
		last if !$going;
		$going = $dice->chance(0.6)
		  ? $client->insert(\$ids)
		  : $client->generate('SELECT sno_generate_many(' . $dice->count(1, 1000) . ')');
	}
	return if $client->{connection}->is_lost;
	if ($rolls_back)
	{
		$client->execute('ROLLBACK', 'ROLLBACK');
	}
	elsif ($client->execute('COMMIT', 'COMMIT'))
	{
		$client->write_ids('committed', $ids);
	}
	return;
}

# A portal that stays open while time passes and other statements generate
sub cursor
{
	my ($client) = @_;
	my $dice = $client->{dice};
	my $call = $dice->pick('sno_generate_many(5000)', 'sno_generate() FROM generate_series(1, 5000)');
	my $going = $client->execute('BEGIN', 'BEGIN')
	  && $client->execute("DECLARE c CURSOR FOR SELECT $call", 'DECLARE CURSOR');

	foreach (1 .. $dice->count(1, 20))
	{
		last if !$going;
		$going = $client->generate('FETCH ' . $dice->count(1, 500) . ' FROM c')
		  && (!$dice->chance(0.3) || $client->generate('SELECT sno_generate()'));
		usleep($dice->uniform(0, 20_000)) if $dice->chance(0.3);
	}
	return if $client->{connection}->is_lost;
	$client->execute('COMMIT', 'COMMIT');
	return;
}

1;

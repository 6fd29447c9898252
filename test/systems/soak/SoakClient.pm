# SoakClient.pm
#	A client in one life of the server: a process that generates ids in session
#	after session, in all the ways there are, and writes each one down as it
#	comes in.
#
# It has a file of the ids it received, one of those from INSERT, committed or not,
# and one of those in rows whose commit was confirmed.
package SoakClient;

use v5.36;
use warnings FATAL => 'all';

use List::Util qw(max min);
use Time::HiRes qw(usleep);

use SnoTest qw(ids_file);
use SoakDice;
use SoakPsql;

use constant SIGN_S => 0.5;
use constant CATCH_UP_S => 2;

# To the rate a row counts as that many ids
use constant ROW_IDS => 70;

# Sets of ids are up to this large
use constant SET_MAX => 100_000;

# What a server that goes down may say, and one that is not there yet
my $going_down = qr/57P0[123]/;
my $not_there = qr/the database system is|No such file|Connection refused|server closed the connection/;

# The kinds of statements, and how often each is sent
my @statements = (
	(\&single_ids) x 4, (\&sets) x 12, (\&insert_rows) x 3, (\&transaction) x 4, (\&cursor) x 2);

sub new($class, $number, $life, $ids_per_s, $server)
{
	my $client = bless {
		number => $number,
		life => $life,
		ids_per_s => $ids_per_s,	# that it may ask for
		node => $server->{node},
		due_s => now_s(),			# when the next statement may be sent
		signed_s => 0 }, $class;

	foreach my $kind (qw(ids committed inserted))
	{
		open($client->{$kind}, '>', ids_file("${kind}_${number}_$life")) or die "$kind: $!\n";
		$client->{$kind}->autoflush(1);
	}
	return $client;
}

# As long as a file says that the server lets anybody in
sub run($client)
{
	for (my $connection = 0; -e ids_file('open'); $connection++)
	{
		$client->session($connection);
	}
}

sub write_ids($client, $kind, $text)
{
	print { $client->{$kind} } $text or die "cannot write ids: $!\n";
}

# A sign of life, at most twice a second
sub sign($client)
{
	return if now_s() - $client->{signed_s} < SIGN_S;
	utime(undef, undef, $client->{ids}) or die "cannot write ids: $!\n";
	$client->{signed_s} = now_s();
}

# Statements until the server goes or it is time for another session
sub session($client, $connection)
{
	my @name = ('client', @{$client}{qw(number life)}, 'session', $connection);
	my ($wait_timeout, $statements);

	seed_for(@name);
	$wait_timeout = pick(-1, -1, -1, '0', '20ms', '300ms', '2s');
	$statements = 20 * count_up_to(100);
	$client->{waits_for_ever} = $wait_timeout eq '-1';
	$client->{psql} = SoakPsql->new($client->{node}, "client $client->{number}",
		"-c statement_timeout=0 -c sno.wait_timeout=$wait_timeout"
		  . ' -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0');
	$client->sign;
	if ($client->{psql}{lost})
	{
		die "cannot connect: $client->{psql}{why}\n" if $client->{psql}{why} !~ $not_there;
		usleep(20_000);
		return;
	}

	# If the server still lets everybody in after the session began, the session is
	# one of the life that this client is for
	if (-e ids_file('open'))
	{
		while ($statements-- > 0 && !$client->{psql}{lost} && $client->pause)
		{
			seed_for(@name, $statements);
			pick(@statements)->($client);
		}
	}
	$client->{psql}->quit;
}

# Keeps to the rate; false if it is time to stop
sub pause($client)
{
	$client->{due_s} = max($client->{due_s}, now_s() - CATCH_UP_S);
	for (;;)
	{
		my $left_s = $client->{due_s} - now_s();

		$client->sign;
		return 0 if -e ids_file('stop');
		return 1 if $left_s <= 0;
		usleep(1e6 * min($left_s, 0.2));
	}
}

# Sends a statement whose result is ids, which are also given to the code if
# there is one; true if it succeeded
sub generate($client, $sql, $take_also = undef)
{
	return $client->execute(
		$sql,
		sub ($text, $count) {
			$client->write_ids('ids', $text);
			$client->{due_s} += $count / $client->{ids_per_s};
			$take_also->($text, $count) if $take_also;
			$client->sign;
		});
}

# Did a statement succeed?  Dies if it should have and did not.
sub execute($client, $sql, $take_ids = undef)
{
	my $answer = $client->{psql}->query($sql, $take_ids);
	my $error = $answer->{error};

	if (!defined $error)
	{
		die "$sql: $answer->{text}\n" if $answer->{text} ne '' && !$client->{psql}{lost};
		return !$client->{psql}{lost};
	}
	if ($error eq '55P03' && $answer->{text} =~ /could not generate a sno/ && !$client->{waits_for_ever})
	{
		$client->{due_s} += 0.05;
	}
	elsif ($error !~ $going_down)
	{
		die "$sql: $answer->{text}\n";
	}
	return 0;
}

# Mostly 0, where ids of all calls compete
sub meta()
{
	return chance(0.8) ? 0 : int rand 256;
}

sub single_ids($client)
{
	foreach (1 .. count_up_to(100))
	{
		$client->generate(pick(
				'SELECT sno_generate()',
				'SELECT sno_generate(' . meta() . ')',
				'SELECT sno_generate(), sno_generate(), sno_generate(9)')) or last;
	}
}

# The ids of a query; those that came before the server died count, too
sub copy($client, $query, $take_also = undef)
{
	return $client->generate("COPY ($query) TO STDOUT", $take_also);
}

sub sets($client)
{
	my ($many, $some) = (count_up_to(SET_MAX), count_up_to(SET_MAX / 10));

	$client->copy(pick(
			("SELECT sno_generate_many($many, ${\meta()})") x 2,
			# Half of a set
			"SELECT sno_generate_many($some) LIMIT $some / 2",
			# The clock is read for each id
			"SELECT sno_generate(${\meta()}) FROM generate_series(1, $some)",
			"SELECT unnest(sno_generate_array($some, ${\meta()}))",
			# The session generates, for rows that parallel workers find
			'SELECT sno_generate() FROM many'));
}

# Rows, whose ids are put into the text as well; true if it succeeded
sub insert($client, $ids)
{
	my $count = count_up_to(1000);

	return $client->copy(
		"INSERT INTO made SELECT sno_generate(${\meta()}), $client->{number}, $client->{life}"
		  . " FROM generate_series(1, $count) RETURNING id",
		sub ($text, $received) {
			$client->write_ids('inserted', $text);
			$$ids .= $text;
			$client->{due_s} += $received * ROW_IDS / $client->{ids_per_s};
		});
}

sub insert_rows($client)
{
	my $ids = '';

	$client->write_ids('committed', $ids) if $client->insert(\$ids);
}

sub transaction($client)
{
	my $rolls_back = chance(0.3);
	my $going = $client->execute('BEGIN');
	my $ids = '';

	foreach (1 .. count_up_to(5))
	{
		last if !$going;
		$going = chance(0.6)
		  ? $client->insert(\$ids)
		  : $client->copy('SELECT sno_generate_many(' . count_up_to(1000) . ')');
	}
	return if $client->{psql}{lost};
	if ($rolls_back || !$going)
	{
		$client->execute('ROLLBACK');
	}
	elsif ($client->execute('COMMIT'))
	{
		$client->write_ids('committed', $ids);
	}
}

# A portal that stays open while time passes and other statements generate.  What
# FETCH gives fits one of the server's buffers, as psql hands out none of it before
# the end.
sub cursor($client)
{
	my $call = pick('sno_generate_many(5000)', 'sno_generate() FROM generate_series(1, 5000)');
	my $going = $client->execute('BEGIN') && $client->execute("DECLARE c CURSOR FOR SELECT $call");

	foreach (1 .. count_up_to(20))
	{
		last if !$going;
		$going = $client->generate('FETCH ' . count_up_to(250) . ' FROM c')
		  && (!chance(0.3) || $client->generate('SELECT sno_generate()'));
		usleep(rand 20_000) if chance(0.3);
	}
	$client->execute('ROLLBACK') if !$client->{psql}{lost};
}

1;

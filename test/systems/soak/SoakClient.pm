# SoakClient.pm
#	A client in one life of the server: a process that generates ids in session
#	after session, in all the ways there are.
#
# A session is a script for psql, whose output goes to a file as it comes: lines of
# ids, and marks between them, from which SoakCheck tells what is in a row, and
# whose commit was confirmed.  COPY gives also the ids of a statement whose end
# never comes because the server died.
package SoakClient;

use v5.36;
use warnings FATAL => 'all';

use Time::HiRes qw(time usleep);

use PostgreSQL::Test::Utils;

use SnoTest qw(ids_file set_file);
use SoakDice;

# To the rate a row counts as that many ids
use constant ROW_IDS => 70;

# Of a pause, so that it ends soon when the server goes down
use constant PIECE_S => 0.1;

# A session may be ahead of its rate by what it makes in this time, and catches up
# after a wait: so it makes ids as fast as it can when the clock may be moved back
use constant AHEAD_S => 2;

# Sets of ids are up to this large
use constant SET_MAX => 100_000;

# What a server that goes down may say, and one that is not there yet, and the
# statements of a transaction that has failed
my $harmless = join '|', '(?:ERROR|FATAL|PANIC):  (?:57P0[123]|25P02|55000: lost connection to parallel worker)',
  'error: .*(?:the database system is|No such file|Connection refused|server closed the connection|connection to server was lost|could not (?:receive|send) data|no connection)';
my $too_late = qr/ERROR:  55P03: could not generate a sno/;

# The kinds of statements, and how often each is sent
my @statements = ((\&single_ids) x 4, (\&sets) x 12, (\&insert_rows) x 3, (\&transaction) x 4, (\&cursor) x 2);

sub new($class, $number, $life, $ids_per_s, $server)
{
	return bless {
		number => $number,
		life => $life,
		ids_per_s => $ids_per_s,	# that it may ask for
		connstr => $server->{node}->connstr('postgres'),
		output => ids_file("out_${number}_$life") }, $class;
}

# As long as a file says that the server lets anybody in
sub run($client)
{
	my $errors = ids_file("errors_$client->{number}");
	my $script = ids_file("script_$client->{number}");

	for (my $session = 0; -e ids_file('open'); $session++)
	{
		my $wait_timeout;

		seed_for('client', @{$client}{qw(number life)}, 'session', $session);
		$wait_timeout = pick(-1, -1, -1, '0', '20ms', '300ms', '2s');
		set_file($script, $client->script(20 * count_up_to(100)));
		local $ENV{PGAPPNAME} = "client $client->{number}";
		local $ENV{PGOPTIONS} = "-c statement_timeout=0 -c sno.wait_timeout=$wait_timeout"
		  . ' -c parallel_setup_cost=0 -c parallel_tuple_cost=0 -c min_parallel_table_scan_size=0';
		system("psql -XAtq -v VERBOSITY=verbose -d '$client->{connstr}' -f $script >>$client->{output} 2>$errors </dev/null") == 0
		  or usleep(20_000);
		foreach my $line (grep { /error: |(?:ERROR|FATAL|PANIC):  / } split /\n/, slurp_file($errors))
		{
			die "$line\n" if $line !~ /$harmless/ && ($wait_timeout eq '-1' || $line !~ $too_late);
		}
	}
}

# If the server still lets everybody in when the session has begun, the session is
# one of the life that this client is for
sub script($client, $statements)
{
	my $open = ids_file('open');
	my ($start_s, $paused_s) = (time - AHEAD_S, 0);

	$client->{text} = "\\set ERROR true\n\\set open `test -e $open && echo 1 || echo 0`\n\\if :open\n";
	$client->{due_s} = 0;
	while ($statements-- > 0)
	{
		pick(@statements)->($client);
		# Keeps to the rate, as long as the server lets anybody in
		if ($client->{due_s} - $paused_s >= PIECE_S)
		{
			$paused_s = $client->{due_s};
			$client->{text} .= sprintf "\\! while test -e $open && test `date +%%s%%N` -lt %d; do sleep %s; done\n",
			  1e9 * ($start_s + $paused_s), PIECE_S;
		}
	}
	return "$client->{text}\\endif\n";
}

# Sends a statement that makes so many ids, and remembers if it failed
sub statement($client, $sql, $ids = 0)
{
	$client->{text} .= "$sql;\n\\if :ERROR\n\\set whole 0\n\\! sleep 0.05\n\\endif\n";
	$client->{due_s} += $ids / $client->{ids_per_s};
}

sub copy($client, $query, $ids)
{
	$client->statement("COPY ($query) TO STDOUT", $ids);
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
		$client->statement(pick(
				'SELECT sno_generate()',
				'SELECT sno_generate(' . meta() . ')',
				'SELECT sno_generate(), sno_generate(), sno_generate(9)'), 1);
	}
}

# The ids of a query; those that came before the server died count, too
sub sets($client)
{
	my ($many, $some) = (count_up_to(SET_MAX), count_up_to(SET_MAX / 10));

	$client->copy(pick(
			([ "SELECT sno_generate_many($many, ${\meta()})", $many ]) x 2,
			# Half of a set
			[ "SELECT sno_generate_many($some) LIMIT $some / 2", $some / 2 ],
			# The clock is read for each id
			[ "SELECT sno_generate(${\meta()}) FROM generate_series(1, $some)", $some ],
			[ "SELECT unnest(sno_generate_array($some, ${\meta()}))", $some ],
			# The session generates, for rows that parallel workers find
			[ 'SELECT sno_generate() FROM many', 20_000 ])->@*);
}

sub insert($client)
{
	my $count = count_up_to(1000);

	$client->{text} .= "\\echo =rows\n";
	$client->copy("INSERT INTO made SELECT sno_generate(${\meta()}), $client->{number}, $client->{life}"
		  . " FROM generate_series(1, $count) RETURNING id", $count * (1 + ROW_IDS));
	$client->{text} .= "\\echo =\n";
}

# Rows that are there from now on, if nothing before has failed
sub in_rows($client, $code)
{
	$client->{text} .= "\\set whole 1\n\\echo =begin\n";
	$code->();
	$client->{text} .= "\\if :whole\n\\echo =committed\n\\endif\n";
}

sub insert_rows($client)
{
	$client->in_rows(sub { $client->insert });
}

sub transaction($client)
{
	$client->in_rows(
		sub {
			$client->statement('BEGIN');
			foreach (1 .. count_up_to(5))
			{
				my $ids = count_up_to(1000);

				chance(0.6) ? $client->insert : $client->copy("SELECT sno_generate_many($ids)", $ids);
			}
			if (chance(0.3))
			{
				$client->{text} .= "ROLLBACK;\n\\set whole 0\n";
			}
			else
			{
				$client->statement('COMMIT');
			}
		});
}

# A portal that stays open while time passes and other statements generate.  What
# FETCH gives fits one of the server's buffers, as psql hands out none of it before
# the end.
sub cursor($client)
{
	my $call = pick('sno_generate_many(5000)', 'sno_generate() FROM generate_series(1, 5000)');

	$client->statement('BEGIN');
	$client->statement("DECLARE c CURSOR FOR SELECT $call");
	foreach (1 .. count_up_to(20))
	{
		my $ids = count_up_to(250);

		$client->statement("FETCH $ids FROM c", $ids);
		$client->statement('SELECT sno_generate()', 1) if chance(0.3);
		$client->{text} .= sprintf "\\! sleep %.3f\n", rand 0.02 if chance(0.3);
	}
	$client->statement('ROLLBACK');
}

1;

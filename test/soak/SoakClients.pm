# SoakClients.pm
#	The clients, seen from the soak: starts them, tells them where to connect,
#	and hears how they are getting on.
#
# The clients are told by a file:
#
#	open SERIAL LIFE HOST PORT	connect there, and again if the connection is lost
#	hold SERIAL					do not connect; finish the sessions you have
#	stop SERIAL					finish what you are doing, and end
#
# The server is stopped, killed or replaced while the clients are held.  As each
# of them says when it has let go, the ids of one life of the server are known to
# be complete before those of the next one are made.
package SoakClients;

use strict;
use warnings FATAL => 'all';

use POSIX qw(_exit WNOHANG);

use SnoTest qw(ids_file);
use SoakClient;
use SoakTime;

# start(NUMBER OF CLIENTS, what each of them needs)
sub start
{
	my ($class, $number, %params) = @_;
	my $clients = bless {
		target => ids_file('target'),
		serial => 0,
		buffer => '',
		clients => {},
		received => 0, rows => 0, timeouts => 0, sessions => 0, longest_wait_s => 0 }, $class;

	pipe(my $hear, my $tell) or die "pipe: $!\n";
	$clients->{hear} = $hear;
	$clients->hold;
	foreach my $client (1 .. $number)
	{
		my $pid = fork() // die "fork: $!\n";

		if ($pid == 0)
		{
			$SIG{$_} = 'DEFAULT' foreach qw(INT TERM ALRM);
			close $hear;
			be_client(SoakClient->new(
					%params,
					number => $client,
					target => $clients->{target},
					reports => $tell));
		}
		$clients->{clients}{$client} = { pid => $pid, heard_s => now_s(), serial => 0 };
	}
	close $tell;
	return $clients;
}

# Never returns, as what is set up to be done at the end of the soak is not for
# its children to do
sub be_client
{
	my ($client) = @_;

	_exit(0) if eval { $client->run; 1 };
	eval { $client->tell("failed $@") };
	_exit(1);
}

sub order
{
	my ($clients, $order) = @_;
	my $new = "$clients->{target}.new";

	$clients->{serial}++;
	open(my $file, '>', $new) or die "$new: $!\n";
	printf $file $order, $clients->{serial};
	close $file or die "$new: $!\n";
	rename($new, $clients->{target}) or die "$new: $!\n";
	return;
}

sub hold
{
	my ($clients) = @_;

	$clients->order("hold %d\n");
	return;
}

sub open_to
{
	my ($clients, $node, $life) = @_;

	$clients->order("open %d $life " . $node->host . ' ' . $node->port . "\n");
	return;
}

sub stop
{
	my ($clients) = @_;

	$clients->order("stop %d\n");
	return;
}

# Have all let go since the last order?
sub all_held
{
	my ($clients) = @_;

	$clients->listen(0);
	return !grep { $_->{serial} != $clients->{serial} } values %{ $clients->{clients} };
}

# Who was not heard of since this moment, as "client NUMBER"
sub silent_since
{
	my ($clients, $since_s) = @_;

	return map { "client $_" }
	  grep { $clients->{clients}{$_}{heard_s} < $since_s } sort keys %{ $clients->{clients} };
}

# Hears what the clients have to say, for this long at least; dies if one failed
sub listen
{
	my ($clients, $duration_s) = @_;
	my $until_s = now_s() + $duration_s;

	for (;;)
	{
		my $left_s = $until_s - now_s();
		my $readable = '';

		vec($readable, fileno($clients->{hear}), 1) = 1;
		if (select($readable, undef, undef, $left_s > 0 ? $left_s : 0) > 0)
		{
			last
			  if !sysread($clients->{hear}, $clients->{buffer}, 65536, length $clients->{buffer});
			$clients->take($1) while $clients->{buffer} =~ s/\A(.*)\n//;
		}
		elsif ($left_s <= 0)
		{
			last;
		}
	}
	foreach my $number (grep { $clients->{clients}{$_}{pid} } keys %{ $clients->{clients} })
	{
		my $client = $clients->{clients}{$number};

		next if waitpid($client->{pid}, WNOHANG) != $client->{pid};
		$client->{pid} = undef;
		die "client $number ended with status $?\n" if $? != 0;
	}
	return;
}

sub take
{
	my ($clients, $line) = @_;
	my ($number, $what, $rest) = split ' ', $line, 3;
	my $client = $clients->{clients}{$number};

	$client->{heard_s} = now_s();
	if ($what eq 'progress')
	{
		my ($received, $rows, $timeouts, $sessions, $longest_wait_s) = split ' ', $rest;

		$clients->{received} += $received;
		$clients->{rows} += $rows;
		$clients->{timeouts} += $timeouts;
		$clients->{sessions} += $sessions;
		$clients->{longest_wait_s} = $longest_wait_s
		  if $clients->{longest_wait_s} < $longest_wait_s;
	}
	elsif ($what eq 'held')
	{
		$client->{serial} = $rest;
	}
	else
	{
		die "client $number $what: $rest\n";
	}
	return;
}

# At the end of the soak, however it ended
sub kill_all
{
	my ($clients) = @_;

	foreach my $client (grep { $_->{pid} } values %{ $clients->{clients} })
	{
		kill 'KILL', $client->{pid};
		waitpid($client->{pid}, 0);
		$client->{pid} = undef;
	}
	return;
}

1;

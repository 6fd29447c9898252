# SoakConnection.pm
#	A connection to a server that hands out ids as they come in, also those of a
#	statement whose end never comes because the server died.
#
# psql would keep the rows of such a statement to itself.  This speaks as much
# of the protocol (version 3, simple queries, a socket in the file system, no
# password) as that takes.
package SoakConnection;

use strict;
use warnings FATAL => 'all';

use Errno qw(EINTR);
use IO::Socket::UNIX;

use SoakTime;

use constant PROTOCOL_VERSION => 196608;
use constant READ_BYTES => 1 << 18;

# Messages with one id alone, and how many bytes each has: rows of a COPY, rows
# of a SELECT
my $copied_ids = qr/\A(?:d\0\0\0\x15[2-9a-x]{16}\n)++/;
my $selected_ids = qr/\A(?:D\0\0\0\x1a\0\x01\0\0\0\x10[2-9a-x]{16})++/;
use constant COPIED_ID_BYTES => 22;
use constant SELECTED_ID_BYTES => 27;

# new(host =>, port =>, user =>, [options => '-c name=value'], [name =>])
# Connected, unless it is {lost}; why may then be in {error}.  It dies if an answer
# does not come.
sub new
{
	my ($class, %params) = @_;
	my $connection = bless {
		buffer => '',
		lost => 0 }, $class;
	my $startup = pack('N (Z*)*', PROTOCOL_VERSION,
		user => $params{user},
		database => 'postgres',
		application_name => $params{name} // 'soak',
		options => $params{options} // '',
		'');
	my $answer;

	$connection->{socket} = IO::Socket::UNIX->new(
		Type => SOCK_STREAM,
		Timeout => PATIENCE_S,
		Peer => "$params{host}/.s.PGSQL.$params{port}");
	if (!$connection->{socket})
	{
		$connection->{lost} = 1;
		return $connection;
	}
	$connection->write_all(pack('N', 4 + length $startup) . $startup);
	$answer = $connection->read_answer;
	$connection->{error} = $answer->{error};
	return $connection;
}

sub is_lost
{
	my ($connection) = @_;

	return $connection->{lost};
}

sub error
{
	my ($connection) = @_;

	return $connection->{error};
}

# query(SQL, [CODE])
# The answer: {rows} of columns, or none if the code is given: then each id that
# comes in is given to it, in lines of a text with their number.  {tag} says
# what was done, {error} what went wrong: {sqlstate}, {message} and {detail}.
# If the connection is lost then, {tag} may be missing.
sub query
{
	my ($connection, $sql, $take_ids) = @_;

	$connection->write_all('Q' . pack('N Z*', 5 + length $sql, $sql));
	return $connection->read_answer($take_ids);
}

sub quit
{
	my ($connection) = @_;

	return if $connection->{lost};
	$connection->write_all('X' . pack('N', 4));
	close $connection->{socket};
	$connection->{lost} = 1;
	return;
}

# If the server is gone, reading will tell, after what it had sent
sub write_all
{
	my ($connection, $bytes) = @_;

	while (length $bytes)
	{
		my $written = syswrite($connection->{socket}, $bytes);

		if (!defined $written)
		{
			next if $!{EINTR};
			return;
		}
		substr($bytes, 0, $written, '');
	}
	return;
}

# Reads more of what the server sends; false if nothing comes any more
sub read_more
{
	my ($connection) = @_;
	my $socket = $connection->{socket};
	my $until_s = now_s() + PATIENCE_S;

	for (;;)
	{
		my $left_s = $until_s - now_s();
		my $readable = '';
		my $bytes;

		die "no answer from the server in ${\PATIENCE_S} s\n" if $left_s <= 0;
		vec($readable, fileno($socket), 1) = 1;
		next if select($readable, undef, undef, $left_s) <= 0;
		$bytes = sysread($socket, $connection->{buffer}, READ_BYTES,
			length $connection->{buffer});
		next if !defined $bytes && $!{EINTR};
		return 1 if $bytes;
		close $socket;
		$connection->{lost} = 1;
		return 0;
	}
}

# Takes ids off the front of the buffer, as long as there is nothing else
sub take_fast
{
	my ($connection, $take_ids) = @_;

	if ($connection->{buffer} =~ $copied_ids)
	{
		my $messages = substr($connection->{buffer}, 0, $+[0], '');

		$take_ids->(join('', unpack('(x5 a17)*', $messages)), length($messages) / COPIED_ID_BYTES);
	}
	elsif ($connection->{buffer} =~ $selected_ids)
	{
		my $messages = substr($connection->{buffer}, 0, $+[0], '');

		$take_ids->(join('', map { "$_\n" } unpack('(x11 a16)*', $messages)),
			length($messages) / SELECTED_ID_BYTES);
	}
	return;
}

# The next whole message as (TYPE, BODY); nothing if the connection is lost
sub next_message
{
	my ($connection, $take_ids) = @_;

	for (;;)
	{
		$connection->take_fast($take_ids) if $take_ids;
		if (length $connection->{buffer} >= 5)
		{
			my ($type, $bytes) = unpack('a N', $connection->{buffer});

			if (length $connection->{buffer} > $bytes)
			{
				return ($type, substr(substr($connection->{buffer}, 0, 1 + $bytes, ''), 5));
			}
		}
		return if !$connection->read_more;
	}
}

sub columns
{
	my ($body) = @_;
	my ($count, $rest) = unpack('n a*', $body);
	my @columns;

	foreach (1 .. $count)
	{
		my $bytes = unpack('l>', $rest);

		substr($rest, 0, 4, '');
		push @columns, $bytes < 0 ? undef : substr($rest, 0, $bytes, '');
	}
	return \@columns;
}

sub error_fields
{
	my ($body) = @_;
	my %fields = map { substr($_, 0, 1) => substr($_, 1) } grep { length } split /\0/, $body;

	return { sqlstate => $fields{C}, message => $fields{M}, detail => $fields{D} // '' };
}

# All that the server says until it is ready for the next query
sub read_answer
{
	my ($connection, $take_ids) = @_;
	my %answer = (rows => []);

	while (my ($type, $body) = $connection->next_message($take_ids))
	{
		if ($type eq 'Z')
		{
			last;
		}
		elsif ($type eq 'D' && $take_ids)
		{
			my @ids = map { defined $_ ? /[2-9a-x]{16}/g : () } @{ columns($body) };

			$take_ids->(join("\n", @ids) . "\n", scalar @ids) if @ids;
		}
		elsif ($type eq 'D')
		{
			push @{ $answer{rows} }, columns($body);
		}
		elsif ($type eq 'C')
		{
			$answer{tag} = unpack('Z*', $body);
		}
		elsif ($type eq 'E')
		{
			$answer{error} = error_fields($body);
		}
	}
	return \%answer;
}

1;

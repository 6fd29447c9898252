# SoakPsql.pm
#	A session of psql through pipes that hands out ids as they come in: of a COPY
#	also those of a statement whose end never comes because the server died.
package SoakPsql;

use v5.36;
use warnings FATAL => 'all';

use IPC::Open3;

use SoakDice;

use constant READ_BYTES => 65_536;

# What psql prints after each statement, which no row and no message is
use constant END_LINE => '=';

# Lines of ids and nothing else
my $ids = qr/\A(?:[2-9a-x]{16}[|\n])++/;

# What psql says when it has lost the server, or will the next time, but stays
my $gone = qr/^(?:server closed the connection|could not (?:receive|send) data|no connection|WARNING:  57P0[12])/m;

# To a server; if that does not let anybody in, the session is {lost} and {why}
# says what was said.  The options are PGOPTIONS.
sub new($class, $node, $name, $options)
{
	my $psql = bless { buffer => '', lost => 0 }, $class;

	local $ENV{PGOPTIONS} = $options;
	local $ENV{PGAPPNAME} = $name;
	# What it says of errors comes where the rows come
	$psql->{pid} = open3($psql->{to}, $psql->{from}, undef, 'psql', '-XAtq',
		'-v', 'VERBOSITY=verbose', '-d', $node->connstr('postgres'));
	$psql->{to}->autoflush(1);
	$psql->{why} = $psql->query('')->{text};
	return $psql;
}

# The answer: {text}, and {error}, the last SQLSTATE, if there was one.  If the code is
# given, the ids that come in are handed to it instead, in lines of a text with
# their number.  An answer with no error may be short if the session is {lost}.
sub query($psql, $sql, $take_ids = undef)
{
	my $end = END_LINE;
	my %answer;

	print { $psql->{to} } "$sql;\n\\echo $end\n";
	do
	{
		if ($take_ids && $psql->{buffer} =~ $ids)
		{
			my $text = substr($psql->{buffer}, 0, $+[0], '') =~ tr/|/\n/r;

			$take_ids->($text, length($text) / 17);
		}
	} until $psql->{buffer} =~ s/^$end\n\z//m || !$psql->read_more;
	$answer{text} = $psql->{buffer};

	# A warning goes before the rows of the answer that it came with
	if ($take_ids && (my @late = $answer{text} =~ /^([2-9a-x]{16}(?:\|[2-9a-x]{16})*)\n/mg))
	{
		my $text = join('', map { tr/|/\n/r . "\n" } @late);

		$take_ids->($text, length($text) / 17);
	}
	$answer{error} = ($answer{text} =~ /^(?:ERROR|FATAL|PANIC):  (\w{5}): /mg)[-1];
	$psql->{buffer} = '';
	$psql->quit if $answer{text} =~ $gone;
	return \%answer;
}

# False if nothing comes any more: psql ends when the server is gone
sub read_more($psql)
{
	my $until_s = now_s() + PATIENCE_S;

	for (;;)
	{
		my $left_s = $until_s - now_s();
		my $readable = '';

		die "no answer from the server in ${\PATIENCE_S} s\n" if $left_s <= 0;
		vec($readable, fileno($psql->{from}), 1) = 1;
		next if select($readable, undef, undef, $left_s) <= 0;
		return 1
		  if sysread($psql->{from}, $psql->{buffer}, READ_BYTES, length $psql->{buffer});
		waitpid($psql->{pid}, 0);
		$psql->{lost} = 1;
		return 0;
	}
}

sub quit($psql)
{
	$psql->query("\\q\n") if !$psql->{lost};
}

1;

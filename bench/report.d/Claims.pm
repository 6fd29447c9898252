# Claims.pm
#	What the measurements were to show, and whether they do.
#
# A claim is about the ratio of a rival to another one, computed within each
# round, or about a rival's figure itself if there is no other one.  It holds
# if the median keeps the limit in each of its cases; the worst case is the one
# that is shown.
package Claims;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter qw(import);

use Figures;
use Spread;

our @EXPORT = qw(claims judge formula limit_text);

my %relations = (
	'at most' => sub { $_[0] <= $_[1] },
	'less than' => sub { $_[0] < $_[1] },
	'at least' => sub { $_[0] >= $_[1] },
	'more than' => sub { $_[0] > $_[1] });

# name		what is claimed
# question, measure	where it was measured
# cases		the cases it is about; without them, all there are
# rival		whose figures, or the ones above the line
# over		the ones below it
# base		a case whose ratio the ratios are divided by
# must		how it relates to the limit
# from, upto	the major versions it is about; without them, all there are
#<<< one line for what is compared and one for the limit, in place of one a key
my @claims = (
	{   name => 'A call costs little more than the memory and the clock it cannot do without',
		question => 'calls', measure => 'ns a call',
		rival => 'sno', over => 'floor, clock', must => 'at most', limit => 1.2 },
	{   name => 'A call is faster than nextval',
		question => 'calls', measure => 'ns a call',
		rival => 'bigserial', over => 'sno', must => 'at least', limit => 5 },
	{   name => 'A call is faster than nextval with a cache of 32',
		question => 'calls', measure => 'ns a call',
		rival => 'bigserial, cache 32', over => 'sno', must => 'at least', limit => 2 },
	{   name => 'A call is faster than uuidv7()',
		question => 'calls', measure => 'ns a call',
		rival => 'uuidv7', over => 'sno', must => 'at least', limit => 12, from => 18 },
	{   name => 'A call is faster than gen_random_uuid()',
		question => 'calls', measure => 'ns a call',
		rival => 'uuidv4', over => 'sno', must => 'at least', limit => 20, upto => 15 },
	{   name => 'The lead over nextval does not shrink with many clients',
		question => 'clients', measure => 'calls a second', cases => [ '8 clients', '64 clients' ],
		base => '1 client', rival => 'sno', over => 'bigserial', must => 'at least', limit => 1 },

	{   name => 'One session gets what one partition gives, as an array',
		question => 'bulk', measure => 'ids a second', cases => ['1 partition'],
		rival => 'sno, array', over => 'ceiling', must => 'at least', limit => 0.95 },
	{   name => 'One session gets what one partition gives, as rows',
		question => 'bulk', measure => 'ids a second', cases => ['1 partition'],
		rival => 'sno, rows', over => 'ceiling', must => 'at least', limit => 0.9 },
	{   name => 'One session gets what eight partitions give, as an array',
		question => 'bulk', measure => 'ids a second', cases => ['8 partitions'],
		rival => 'sno, array', over => 'ceiling', must => 'at least', limit => 0.9 },
	{   name => 'Rows take little longer than those of generate_series',
		question => 'bulk', measure => 'ids a second', cases => ['8 partitions'],
		rival => 'generate_series', over => 'sno, rows', must => 'at most', limit => 1.5 },

	{   name => 'The best codec encodes faster than a table',
		question => 'codec', measure => 'ns', cases => ['encode'],
		rival => 'table', over => 'sno', must => 'at least', limit => 4 },
	{   name => 'The best codec decodes and checks faster than a table',
		question => 'codec', measure => 'ns', cases => ['decode'],
		rival => 'table', over => 'sno', must => 'at least', limit => 3 },
	{   name => 'It encodes in less than the 2.0 ns that another implementation is known for (not measured here)',
		question => 'codec', measure => 'ns', cases => ['encode'],
		rival => 'sno', must => 'less than', limit => 2.0 },
	{   name => 'It decodes and checks in less than the 2.4 ns in which that one decodes unchecked (not measured here)',
		question => 'codec', measure => 'ns', cases => ['decode'],
		rival => 'sno', must => 'less than', limit => 2.4 },

	{   name => 'Single-row inserts are not slower than with a bigserial',
		question => 'insert', measure => 'transactions a second',
		rival => 'sno', over => 'bigserial', must => 'at least', limit => 1 },
	{   name => 'Single-row inserts are faster than with a uuidv4',
		question => 'insert', measure => 'transactions a second',
		rival => 'sno', over => 'uuidv4', must => 'more than', limit => 1 },
	{   name => 'Bulk loads are not slower than with a bigserial',
		question => 'load', measure => 'rows a second', cases => [ 'INSERT ... SELECT', 'COPY' ],
		rival => 'sno', over => 'bigserial', must => 'at least', limit => 1 },
	{   name => 'Bulk loads are faster than with a uuidv4',
		question => 'load', measure => 'rows a second', cases => [ 'INSERT ... SELECT', 'COPY' ],
		rival => 'sno', over => 'uuidv4', must => 'more than', limit => 1 },
	{   name => 'Bulk loads are faster than with a uuidv7',
		question => 'load', measure => 'rows a second', cases => [ 'INSERT ... SELECT', 'COPY' ],
		rival => 'sno', over => 'uuidv7', must => 'more than', limit => 1, from => 18 },
	{   name => 'The index is no larger than a uuidv7\'s',
		question => 'load', measure => 'index MB', cases => [ 'INSERT ... SELECT', 'COPY' ],
		rival => 'sno', over => 'uuidv7', must => 'at most', limit => 1, from => 18 },
	{   name => 'The table is smaller than with a uuidv7',
		question => 'load', measure => 'table MB', cases => [ 'INSERT ... SELECT', 'COPY' ],
		rival => 'sno', over => 'uuidv7', must => 'less than', limit => 1, from => 18 },

	{   name => 'Sorting is not slower than that of uuids',
		question => 'read', measure => 'ms', cases => ['sort'],
		rival => 'sno', over => 'uuidv4', must => 'at most', limit => 1 },
	{   name => 'Nor is sorting ids that were made at once, of which thousands share a tick',
		question => 'read', measure => 'ms', cases => ['sort'],
		rival => 'sno, bulk', over => 'uuidv4', must => 'at most', limit => 1 },
	{   name => 'Sorting is not slower than that of uuids of version 7',
		question => 'read', measure => 'ms', cases => ['sort'],
		rival => 'sno', over => 'uuidv7', must => 'at most', limit => 1, from => 18 },
	{   name => 'A range of time takes about as long as in a timestamptz column, and needs no second index',
		question => 'read', measure => 'ms', cases => [ 'range of 1 hour', 'range of 1 day' ],
		rival => 'sno', over => 'timestamptz', must => 'at most', limit => 1.15 },
	{   name => 'Text goes out and comes in not slower than that of uuids',
		question => 'text', measure => 'rows a second', cases => [ 'text out', 'text in' ],
		rival => 'sno', over => 'uuid', must => 'at least', limit => 1 });
#>>>

sub claims
{
	return @claims;
}

# What is computed, in words
sub formula
{
	my ($claim) = @_;
	my $text = "$claim->{measure}: $claim->{rival}";

	$text .= " / $claim->{over}" if defined $claim->{over};
	$text .= ", in that with $claim->{base}" if defined $claim->{base};
	return $text;
}

sub limit_text
{
	my ($claim) = @_;

	return "$claim->{must} $claim->{limit}";
}

# What is computed of a case, by round
sub values_of
{
	my ($claim, $table, $case) = @_;
	my $values = $table->{value}{$case};
	my $values_of_rival = $values->{ $claim->{rival} } // {};

	return $values_of_rival if !defined $claim->{over};
	return ratios($values_of_rival, $values->{ $claim->{over} } // {});
}

# Judges a claim by the tables of its question on one major version.  The
# verdict is undef if the claim is not about that version, else { case, cases,
# spread, holds, unanimous }: the worst case, out of how many, and whether all
# its rounds say the same.  Without a spread that case was not measured.
sub judge
{
	my ($claim, $major, $tables) = @_;
	my ($table) = grep { $_->{measure} eq $claim->{measure} } @{ $tables // [] };
	my $keeps = $relations{ $claim->{must} };
	my $sign = $claim->{must} =~ /most|less/ ? 1 : -1;
	my @cases = @{ $claim->{cases} // ($table // {})->{cases} // [] };
	my $worst;

	return undef
	  if $major < ($claim->{from} // $major) || $major > ($claim->{upto} // $major);

	foreach my $case (@cases)
	{
		my $values = values_of($claim, $table, $case);
		my $spread;

		$values = ratios($values, values_of($claim, $table, $claim->{base}))
		  if defined $claim->{base};
		$spread = spread($values);
		return { case => $case, cases => scalar @cases } if !defined $spread;
		$worst = { case => $case, cases => scalar @cases, spread => $spread }
		  if !defined $worst
		  || ($spread->{median} - $worst->{spread}{median}) * $sign > 0;
	}
	return {} if !defined $worst;

	$worst->{holds} = $keeps->($worst->{spread}{median}, $claim->{limit}) ? 1 : 0;
	# Do all rounds say the same?
	$worst->{unanimous} = 1;
	foreach my $value (@{ $worst->{spread} }{qw(min max)})
	{
		$worst->{unanimous} = 0
		  if ($keeps->($value, $claim->{limit}) ? 1 : 0) != $worst->{holds};
	}
	return $worst;
}

1;

# Questions.pm
#	The questions in the order of the report, and what it says of each.  One that
#	is not listed comes last, with nothing but its figures.
package Questions;

use strict;
use warnings FATAL => 'all';
use utf8;

use Exporter qw(import);

our @EXPORT = qw(questions_in_order question_of);

# name		of its script and its results
# title		in headings and charts
# text		what is measured, and how
# beside	the rival whose figures the others are given in; without it, sno
# undrawn	the measures that are not worth a chart
my @questions = (
	{
		name => 'calls',
		title => 'One id at a time, in one session',
		text => <<'EOT' },
A query makes ten ids a row; the time is that above the same query without them, divided by the number of ids. *floor* is a C function that does nothing but allocate
ten bytes, *floor, clock* one that also reads the clock, which nothing with a time in it can do without. *shard id* is the well-known PL/pgSQL recipe: a `bigint` of
milliseconds, a shard and a sequence. *sno* has eight partitions; *sno, 1 partition* is the default, in which the format allows an id every 61 ns and calls wait for it, some
of which the scan takes. A query is one statement, in which sno claims up to 64 ids at a time from the shared generator; *sno, lease 1* has eight partitions and claims
each by itself, as the only call of a statement does. Of five turns in a round the fastest counts, as what else happens on a machine only adds to a time.
EOT
	{
		name => 'clients',
		title => 'One id at a time, with many clients',
		text => <<'EOT' },
The same calls from many clients of pgbench at once: what all of them together are given. Ten calls a row, a thousand rows a transaction, which is counted in. As before, *sno* has eight partitions.
EOT
	{
		name => 'bulk',
		title => 'Many ids at once, in one session',
		beside => 'ceiling',
		text => <<'EOT' },
One statement asks for millions of ids, as an array (`sno_generate_array`) or as rows (`sno_generate_many`). *ceiling* is what the format allows: 16,384,000 ids a
second from each partition. The arrays are of a million. *generate_series* stands in the same place of the query as the rows do, and makes nothing but integers.
EOT
	{
		name => 'core',
		title => 'The generator alone',
		text => <<'EOT' },
The C code that makes an id, without PostgreSQL around it: with a clock that stands still, and with the real one, which is read for each id. *sno* claims each id by
itself, *sno, lease* takes it from a lease as the extension does. *fetch and add* is an atomic counter, *clock* a bare reading of the clock.
EOT
	{
		name => 'codec',
		title => 'Text, the codec alone',
		text => <<'EOT' },
The C code between the ten bytes and the sixteen characters, with every implementation that this CPU can run; *sno* is the one that the extension chooses here. Decoding
checks every character. *table* is the plain way, a character at a time by a table; *memcpy* copies sixteen bytes and is no codec at all. *dependent* is the time from an
id to the next one that is made of it, where the CPU cannot work on several at once.
EOT
	{
		name => 'text',
		title => 'Text and binary, out and in',
		text => <<'EOT' },
`COPY` of a table with one column to a file, and back into a table without an index. As text a sno is 16 characters, a uuid 36. The `bytea` are the bytes of the snos.
EOT
	{
		name => 'insert',
		title => 'Single-row inserts',
		text => <<'EOT' },
pgbench inserts a row a transaction into a table that has rows already, with a primary key that is made by the column's default: how many transactions a second all
clients get, and how long all but one in a hundred take at most. With `synchronous_commit = off`, as otherwise it is the disk that is measured. Tables and indexes fit into
`shared_buffers`. Each run is the two seconds after a checkpoint, when a page that is changed goes to the WAL as a whole: keys in no order then write several times as much,
until most pages have been changed.
EOT
	{
		name => 'load',
		title => 'Bulk loads, and what they leave',
		text => <<'EOT' },
Filling an empty table of a key and an `integer`, with the primary key made by the column's default; in `COPY` the rows have only the integer. Beside the rate: how large the table
and its index then are, and how much was written to the WAL. A MB is 1,000,000 bytes. What a key adds to a row depends on what follows it: after ten bytes an `integer` needs
two of padding, a `bigint` or a `timestamptz` six, and the row is then as long as one with a uuid.
EOT
	{
		name => 'read',
		title => 'Reading',
		text => <<'EOT' },
Tables with the same rows, at the same instants of 30 days: looking rows up by their key, one at a time; joining by hash; sorting keys that lie in the table at random;
and counting a range of time. For that *sno* is asked `id >= t AND id < u` with two `timestamptz`; *timestamptz* is a `bigserial` key beside a column for the time, which
needs an index of its own; a *uuidv7* is compared with uuids made of the two times. *sno, bulk* are ids that were made at once, of which thousands share a tick.
EOT
	{
		name => 'estimates',
		title => 'How many rows the planner expects of a range of time',
		undrawn => [ 'rows', 'rows expected', 'partitions in the plan', 'partitions read' ],
		text => <<'EOT' },
Ranges of a table of 30 days, and one of a table that has grown by a fifth since ANALYZE. The factor is the one between the rows that the planner expects and those there
are: 1 at best. *sno* is asked `id >= t AND id < u` with two `timestamptz`, *timestamptz* is a column of that type as the primary key; a uuidv7 is compared with *boundary*
uuids made of the two times, or is asked by *extract*: `uuid_extract_timestamp(id) >= t`. The partitions are those of a table that is partitioned by day; the time to plan is that of a table of 1,000, of which a range leaves all
or one.
EOT
	{
		name => 'reservation',
		title => 'What it costs that ids are reserved on disk',
		text => <<'EOT' });
The extension beside a build of the same sources that writes no record, and so would make ids again after a crash.
EOT

my %listed = map { $_->{name} => $_ } @questions;

sub questions_in_order
{
	my %measured = map { $_ => 1 } @_;

	return (
		(grep { $measured{$_} } map { $_->{name} } @questions),
		(sort grep { !$listed{$_} } keys %measured));
}

sub question_of
{
	my ($name) = @_;

	return { title => ucfirst($name), text => '', beside => 'sno', undrawn => [], %{ $listed{$name} // {} } };
}

1;

# SnoReaders.pm
#	Readers of new rows that poll as doc/reading-new-rows.md says, by its own SQL, and
#	what is checked on all that they read.
#
# Each poll also notes what it reads in the table "got", in its transaction.  So no
# reader is to have read a row twice, or to have missed one, however it ended.
package SnoReaders;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';
use Test::More;

use SnoTest;

our @EXPORT = qw(new_readers page_sql recipe poll noted polls read_all is_read_once);

# page_sql(BEGIN): the block of the page that begins like this
sub page_sql
{
	my ($begin) = @_;

	return page_block('doc/reading-new-rows.md', $begin);
}

# The rest of a poll at once with two cursors, which the page only describes
my $both_at_once = <<'EOF';
WITH old AS (
    SELECT unnest(early) AS id FROM reader_of_both WHERE name = 'mailer'
), settled AS (
    SELECT event.* FROM reader_of_both JOIN event ON id > since_0 AND id <= upto_0 AND NOT sno_tick_tock(id) WHERE name = 'mailer' AND id NOT IN (TABLE old)
    UNION ALL
    SELECT event.* FROM reader_of_both JOIN event ON id > since_1 AND id <= upto_1 AND sno_tick_tock(id) WHERE name = 'mailer' AND id NOT IN (TABLE old)
), room AS (
    SELECT 10000 - count(*) AS rows FROM old
), soon AS (
    (SELECT event.* FROM event WHERE id > (SELECT upto_0 FROM reader_of_both WHERE name = 'mailer') AND NOT sno_tick_tock(id) AND id NOT IN (TABLE old)
    ORDER BY id LIMIT (TABLE room))
    UNION ALL
    (SELECT event.* FROM event WHERE id > (SELECT upto_1 FROM reader_of_both WHERE name = 'mailer') AND sno_tick_tock(id) AND id NOT IN (TABLE old)
    ORDER BY id LIMIT (TABLE room))
    LIMIT (TABLE room)
), remembered AS (
    UPDATE reader_of_both
    SET early = ARRAY(SELECT id FROM old WHERE id > CASE WHEN sno_tick_tock(id) THEN upto_1 ELSE upto_0 END UNION ALL SELECT id FROM soon)
    WHERE name = 'mailer'
)
SELECT * FROM settled
UNION ALL
SELECT * FROM soon;
COMMIT;
EOF

# What each recipe needs before its first poll, and the poll
sub recipes
{
	my ($both, $both_poll) = split /^(?=BEGIN;$)/m, page_sql('CREATE TABLE reader_of_both');
	my ($both_update) = $both_poll =~ /^(BEGIN;\nUPDATE .*?;\n)/s;

	return (
		'in order' => [ split /^(?=BEGIN;$)/m, page_sql('CREATE TABLE reader (') ],
		'at once' => [ split /^(?=BEGIN;$)/m, page_sql('ALTER TABLE reader ADD early') ],
		'both' => [ $both, $both_poll ],
		'both, at once' => [ "ALTER TABLE reader_of_both ADD early sno[] NOT NULL DEFAULT '{}';\n", "$both_update$both_at_once" ]);
}

# new_readers(SERVER, RECIPE => [READER, ...], ...): makes the tables of all recipes,
# and readers that begin with the first row
sub new_readers
{
	my ($server, %readers) = @_;
	my %recipes = recipes();

	query($server, 'CREATE TABLE got (n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, reader text, id sno)');
	query($server, ($recipes{$_}[0] =~ /\A(.*?;\n)/s)[0]) foreach 'in order', 'at once', 'both', 'both, at once';
	foreach my $recipe (sort keys %readers)
	{
		my $table = $recipe =~ /both/ ? 'reader_of_both' : 'reader';

		query($server, "INSERT INTO $table VALUES ('$_')") foreach @{ $readers{$recipe} };
	}
	return;
}

# recipe(NAME): the SQL of a poll, as the page shows it
sub recipe
{
	my ($name) = @_;

	return { recipes() }->{$name}[1];
}

# noted(SQL, READER): a poll of "mailer" becomes one of that reader, and notes what it
# reads
sub noted
{
	my ($sql, $reader) = @_;

	$sql =~ s/'mailer'/'$reader'/g;
	$sql =~ s/^SELECT (?:\w+\.)?\* FROM/SELECT '$reader', id FROM/mg;
	$sql =~ s/^(?=SELECT '$reader', id FROM)/INSERT INTO got (reader, id)\n/m or die "nothing is read: $sql";
	return $sql;
}

# poll(RECIPE, READER, [LIMIT]): LIMIT takes the place of the number of rows that a
# reader at once remembers
sub poll
{
	my ($name, $reader, $limit) = @_;
	my $sql = noted(recipe($name), $reader);

	$sql =~ s/\b10000\b/$limit/g if defined $limit;
	return $sql;
}

# polls(NUMBER, PAUSE_S, POLL, ...): a script for psql; what fails is tried again by
# the next poll
sub polls
{
	my ($number, $pause_s, @polls) = @_;

	return "\\set ON_ERROR_STOP 0\n" . (join('', @polls) . "\\! sleep $pause_s\n") x $number;
}

# read_all(SERVER, POLL, ...): when all transactions have ended; dies if one fails
sub read_all
{
	my ($server, @polls) = @_;

	run_sessions({ server => $server, sql => join '', @polls });
	return;
}

# is_read_once(SERVER, READER, NAME, [ORDER]): a test that the reader has missed no row
# of the table, read none twice, and none that is not there; and in which order: that
# of "ids", or of the ids of each of the "planes"
sub is_read_once
{
	my ($server, $reader, $name, $order) = @_;
	my $planes = ($order // '') eq 'planes' ? 'PARTITION BY sno_tick_tock(id)' : '';
	my $is_wrong = defined $order ? "id < lag(id) OVER ($planes ORDER BY n)" : 'false';

	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(query($server, <<"EOF"), '0|0|0|0', "$name: no row is missed, none is read twice, none is not there, and none comes too late");
WITH mine AS MATERIALIZED (SELECT id, $is_wrong AS is_wrong FROM got WHERE reader = '$reader')
SELECT (SELECT count(*) FROM event WHERE NOT EXISTS (SELECT FROM mine WHERE mine.id = event.id)), count(*) - count(DISTINCT id),
	(SELECT count(*) FROM mine WHERE NOT EXISTS (SELECT FROM event WHERE mine.id = event.id)), count(*) FILTER (WHERE is_wrong)
FROM mine
EOF
}

1;

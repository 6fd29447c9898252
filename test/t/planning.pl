# planning.pl
#	No id is made but by a call that was written: planning a query makes none, and
#	what other planners do with an expression leaves its calls as they are.  Within
#	a COPY, too, where a default's call is replaced.
#
# The planners are that of the server and, for others, planning.c.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use SnoTest;

use PostgreSQL::Test::Utils;

# Each id is claimed by itself, and counted
my $server = new_server('planning', settings => preload('sno.lease_limit' => 1));
my $build = PostgreSQL::Test::Utils::tempdir();
my @calls = ('sno_generate(3)', 'COALESCE(sno_generate(3), sno_generate(4))');
my $query = 'SELECT FROM event WHERE id IN (sno_generate(0), sno_generate(1)) AND id < sno_generate(2)';

system_or_bail('gcc', '-shared', '-fPIC', '-Wall', '-Werror', '-I', output_of("$ENV{PG_CONFIG} --includedir-server"),
	"$FindBin::RealBin/planning.c", '-o', "$build/planning.so");
query($server, <<"EOS");
CREATE FUNCTION planned_elsewhere(text) RETURNS text
	AS '$build/planning', 'planned_elsewhere' LANGUAGE C;
CREATE TABLE event (id sno PRIMARY KEY DEFAULT sno_generate(3), n int);
CREATE TABLE seen (what text, expression text);
CREATE FUNCTION planned() RETURNS boolean LANGUAGE plpgsql AS \$\$
DECLARE
	claimed bigint := (SELECT slots_claimed FROM sno_stat);
BEGIN
	EXECUTE 'EXPLAIN $query';
	EXECUTE 'COPY ($query) TO ' || quote_literal('$build/copied');
	INSERT INTO seen SELECT 'ids', slots_claimed - claimed FROM sno_stat;
	INSERT INTO seen SELECT 'calls', string_agg(planned_elsewhere(call), ', ')
	FROM unnest(ARRAY['${\join("', '", @calls)}']) AS call;
	RETURN true;
END
\$\$;
CREATE FUNCTION planned_by_trigger() RETURNS trigger LANGUAGE plpgsql AS \$\$
BEGIN
	PERFORM planned();
	RETURN NEW;
END
\$\$;
CREATE TABLE triggering (LIKE event INCLUDING ALL);
CREATE TRIGGER plan BEFORE INSERT ON triggering FOR EACH ROW EXECUTE FUNCTION planned_by_trigger();
CREATE TRIGGER plan_after AFTER INSERT ON triggering FOR EACH ROW EXECUTE FUNCTION planned_by_trigger();
CREATE TABLE checking (LIKE event INCLUDING ALL, CHECK (planned()));
CREATE TABLE computing (LIKE event INCLUDING ALL, d boolean DEFAULT planned());
EOS

sub leaves_alone
{
	my ($name, $times, $statement) = @_;
	my ($code, $seen, $errors) = $server->psql('postgres', <<"EOS");
TRUNCATE seen;
$statement;
SELECT 'seen', what, expression, count(*) FROM seen GROUP BY 2, 3 ORDER BY 2;
EOS

	is($seen =~ s/^(?!seen).*\n//gmr,
		'seen|calls|' . join(', ', @calls) . "|$times\nseen|ids|0|$times",
		"$name: calls stay as they are written, and make no id while they are planned")
	  || diag($errors);
	return;
}

leaves_alone('a query', 1, 'SELECT planned()');
leaves_alone('COPY TO', 1, "COPY (SELECT planned()) TO '$build/copied'");
leaves_alone('a trigger of COPY FROM', 4, "COPY triggering (n) FROM PROGRAM 'seq 1 2'");
leaves_alone('a check of COPY FROM', 2, "COPY checking (n) FROM PROGRAM 'seq 1 2'");
leaves_alone('a default of COPY FROM', 2, "COPY computing (n) FROM PROGRAM 'seq 1 2'");
is(query($server, 'SELECT count(DISTINCT id) FROM (TABLE triggering UNION ALL TABLE checking UNION ALL SELECT id, n FROM computing) AS copied'),
	6, 'COPY generates all the same');

done_testing();

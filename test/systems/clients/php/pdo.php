<?php
// pdo.php
//	sno with PHP's PDO, and examples/sno.php.
//
// test/systems/clients/run runs it.  Prints TAP.
require 'examples/sno.php';

const TEXTS = ['2222222222222222', '9q7jqm682eks4222', 'xxxxxxxxxxxxxxxx'];

function same($got, $expected, string $what): void
{
	static $count = 0;
	if ($got !== $expected) {
		throw new Exception("$what: " . var_export($got, true));
	}
	printf("ok %d - %s\n", ++$count, $what);
}

function ask(PDO $db, string $query, ...$parameters): array
{
	try {
		$statement = $db->prepare($query);
		$statement->execute($parameters);
		return $statement->fetchAll(PDO::FETCH_COLUMN);
	} catch (PDOException $error) {
		return [$error->getCode()];
	}
}

$db = new PDO('pgsql:');
printf("# PHP %s, libpq %s\n", PHP_VERSION, $db->getAttribute(PDO::ATTR_CLIENT_VERSION));
$db->pgsqlCopyFromArray('event', array_map(fn ($id) => "$id\t$id\n", TEXTS));
same(ask($db, 'SELECT id FROM event WHERE id::text = payload ORDER BY id'), TEXTS, 'COPY, and strings');
same(ask($db, 'SELECT payload FROM event WHERE id = ?', TEXTS[1]), [TEXTS[1]], 'a string to compare with');
same(ask($db, 'SELECT id FROM event WHERE id = ANY (?) ORDER BY id', sno_array_parameter(array_slice(TEXTS, 1))),
	array_slice(TEXTS, 1), 'an array to compare with');
same(ask($db, 'SELECT ?::sno[]', '{}'), ['{}'], 'an array comes as one string');
foreach ([[], [TEXTS[1], null, TEXTS[0]]] as $ids) {
	same(sno_array(ask($db, 'SELECT ?::sno[]', sno_array_parameter($ids))[0]), $ids, 'which becomes one again');
}

$db->exec('TRUNCATE event');
$ids = ask($db, 'INSERT INTO event (payload) VALUES (?) RETURNING id', 'hello');
$since = new DateTimeImmutable('-1 hour');
same(events_since($db, $since), $ids, 'a generated id, and a range of time');
same(ask($db, 'SELECT id FROM event WHERE id >= ?', $since->format(DATE_ATOM)), ['22P02'], 'a time needs its type');
echo "1..8\n";

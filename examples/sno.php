<?php
// sno with PHP's PDO: an id is a string; an array of them is one, too, {…,…}.

function sno_array(?string $array): ?array
{
	return $array === null ? null : array_map(
		fn ($id) => $id === 'NULL' ? null : $id,
		$array === '{}' ? [] : explode(',', trim($array, '{}')));
}

function sno_array_parameter(array $ids): string
{
	return '{' . implode(',', array_map(fn ($id) => $id ?? 'NULL', $ids)) . '}';
}

// A time needs its type
function events_since(PDO $db, DateTimeInterface $since): array
{
	$select = $db->prepare('SELECT id FROM event WHERE id >= ?::timestamptz ORDER BY id');
	$select->execute([$since->format('Y-m-d H:i:s.uP')]);
	return $select->fetchAll(PDO::FETCH_COLUMN);
}

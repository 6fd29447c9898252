/*
 * client.js
 *		sno with node-postgres: as it comes, and with examples/sno_pg.js.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const pg = require('pg');
const { registerSno } = require('./examples/sno_pg');
const { texts, bytes, hour, same, refused, run } = require('./tap');

const array = [texts[2], null, texts[0]];

async function asItComes(client) {
	for (const text of texts) {
		await client.query('INSERT INTO event (id, payload) VALUES ($1, $2)', [text, text]);
	}
	let result = await client.query('SELECT id, id::bytea AS bytes FROM event ORDER BY id');
	same(result.rows, texts.map((id, i) => ({ id, bytes: bytes[i] })), 'strings as parameter and result');

	result = await client.query('SELECT id FROM event WHERE id = ANY ($1) ORDER BY id', [texts.slice(1)]);
	same(result.rows.map((row) => row.id), texts.slice(1), 'an array of strings as a parameter');
	result = await client.query('SELECT $1::sno[] AS ids', [array]);
	same(result.rows[0].ids, `{${texts[2]},NULL,${texts[0]}}`, 'an array comes as one string');

	result = await client.query('UPDATE event SET id = $1 WHERE id = $1 AND id = ANY ($2) RETURNING id',
		[bytes[1], bytes.slice(1)]);
	same(result.rows, [{ id: texts[1] }], 'Buffers, and an array of them, as parameters');
}

async function defaultAndTime(client) {
	await client.query('TRUNCATE event');
	const { rows: [{ id }] } = await client.query(
		'INSERT INTO event (payload) VALUES ($1) RETURNING id', ['hello']);
	const since = new Date(Date.now() - hour);
	const { rows } = await client.query(
		'SELECT id FROM event WHERE id >= $1::timestamptz', [since]);
	same(rows, [{ id }], 'a generated id, and a range of time');
	await refused(client.query('SELECT FROM event WHERE id >= $1', [since]), 'a Date needs its type');
}

async function registered() {
	const pool = new pg.Pool({ onConnect: registerSno });
	const results = await Promise.all(texts.map(
		(id) => pool.query('SELECT $1::sno AS id, $2::sno[] AS ids', [id, array])));
	same(results.map((result) => result.rows), texts.map((id) => [{ id, ids: array }]),
		'in every client of a pool, an array with a NULL');
	await pool.end();
}

run(async () => {
	const client = new pg.Client();
	await client.connect();
	await asItComes(client);
	await defaultAndTime(client);
	await client.end();
	await registered();
});

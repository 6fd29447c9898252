/*
 * client.js
 *		sno with node-postgres: as it comes, and with examples/sno_pg.js.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const pg = require('pg');
const { from: copyFrom } = require('pg-copy-streams');
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

	await client.query('TRUNCATE event');
	for (const id of bytes) {
		await client.query('INSERT INTO event (id) VALUES ($1)', [id]);
	}
	result = await client.query('SELECT id FROM event ORDER BY id');
	same(result.rows.map((row) => row.id), texts, 'a Buffer as a parameter');
	result = await client.query('SELECT id FROM event WHERE id = ANY ($1) OR id = $2 ORDER BY id',
		[bytes.slice(0, 2), bytes[2]]);
	same(result.rows.map((row) => row.id), texts, 'Buffers, and an array of them, to compare with');

	// The driver takes binary results for UTF-8: brianc/node-postgres#3495
	result = await client.query({ text: 'SELECT $1::int AS number', values: [1000], binary: true });
	same(result.rows[0].number, 1007, 'binary results are damaged, those of other types, too');
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

async function copy(client) {
	await client.query('TRUNCATE event');
	const lines = texts.map((id) => `${id}\t${id}\n`);
	await pipeline(
		Readable.from(lines),
		client.query(copyFrom('COPY event (id, payload) FROM STDIN')));
	const { rows } = await client.query('SELECT id::text FROM event WHERE id::text = payload ORDER BY event.id');
	same(rows.map((row) => row.id), texts, 'COPY in');
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
	await copy(client);
	await client.end();
	await registered();
});

/*
 * client.js
 *		sno with node-postgres: as it comes, with examples/sno_pg.ts, and the reader of
 *		examples/new_rows.js.
 *
 * test/systems/clients/run runs it.
 */
'use strict';

const pg = require('pg');
const { poll } = require('./examples/new_rows');
const { registerSno } = require('./examples/sno_pg');
const { texts, bytes, hour, same, refused, run } = require('./tap');

const array = [texts[2], null, texts[0]];

async function asItComes(client) {
	for (const text of texts) {
		await client.query('INSERT INTO event (id) VALUES ($1)', [text]);
	}
	let result = await client.query('SELECT id, id::bytea AS bytes FROM event WHERE id = ANY ($1) ORDER BY event.id', [texts]);
	same(result.rows, texts.map((id, i) => ({ id, bytes: bytes[i] })), 'strings, and an array of them, as parameters, and as results');
	result = await client.query('SELECT $1::sno[] AS ids', [array]);
	same(result.rows[0].ids, `{${texts[2]},NULL,${texts[0]}}`, 'an array comes as one string');
	result = await client.query('UPDATE event SET id = $1 WHERE id = $1 AND id = ANY ($2) RETURNING id',
		[bytes[1], bytes.slice(1)]);
	same(result.rows, [{ id: texts[1] }], 'Buffers, and an array of them, as parameters');

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

// Each row is read once, also one whose transaction commits late, and what could not be
// handled is read again
async function newRows(reader, slow) {
	const seen = [];
	const insert = (client, kind) => client.query('INSERT INTO event (kind) VALUES ($1)', [kind]);
	const see = ({ kind }) => {
		if (seen.push(kind) === 1) throw new Error('not handled');
	};

	await reader.query('TRUNCATE event');
	await slow.query('BEGIN');
	await insert(slow, 'late');
	await insert(reader, 'early');
	await poll(reader, 'mailer', see);
	same(seen, [], 'nothing is read past a transaction that is open');
	await slow.query('COMMIT');
	const errors = [];
	while (seen.length < 3) {
		await poll(reader, 'mailer', see).catch(({ message }) => errors.push(message));
	}
	same(errors, ['not handled'], 'what could not be handled is an error');
	same(seen, ['late', 'late', 'early'], 'then all is, in the order of the ids; again, what could not be handled');
}

run(async () => {
	const clients = [new pg.Client(), new pg.Client()];
	await Promise.all(clients.map((client) => client.connect()));
	await asItComes(clients[0]);
	await newRows(...clients);
	await Promise.all(clients.map((client) => client.end()));
	await registered();
});

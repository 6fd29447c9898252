/*
 * client.js
 *		sno with node-postgres: as it comes, and with a class of its own.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { Readable, Writable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const pg = require('pg');
const { from: copyFrom, to: copyTo } = require('pg-copy-streams');
const { texts, bytes, time, hour, same, refused: tapRefused, run } = require('./tap');

const refused = (client, sqlstate, what, text, values) =>
	tapRefused(sqlstate, what, client.query(text, values), (sql) => client.query(sql));

class Sno {
	static ALPHABET = '23456789abcdefghijklmnopqrstuvwx';

	constructor(text) {
		this.text = text;
	}

	toString() {
		return this.text;
	}

	// pg calls this for a parameter
	toPostgres() {
		return this.text;
	}

	get time() {
		const head = [...this.text.slice(0, 8)]
			.reduce((n, c) => n * 32 + Sno.ALPHABET.indexOf(c), 0);
		return new Date(Date.UTC(2010, 0) + Math.floor(head / 2) * 4);
	}
}

async function registerSno(client) {
	const { rows: [oid] } = await client.query(
		"SELECT 'sno'::regtype::oid AS sno, 'sno[]'::regtype::oid AS array");
	const parse = (text) => new Sno(text);
	const parseArray = (text) => pg.types.arrayParser.create(text, parse).parse();
	client.setTypeParser(oid.sno, 'text', parse);
	client.setTypeParser(oid.array, 'text', parseArray);
}

async function asItComes(client) {
	for (const text of texts) {
		await client.query('INSERT INTO event (id, payload) VALUES ($1, $2)', [text, text]);
	}
	let result = await client.query('SELECT id, id::bytea AS bytes FROM event ORDER BY id');
	same(result.rows, texts.map((id, i) => ({ id, bytes: bytes[i] })), 'strings as parameter and result');

	result = await client.query('SELECT payload FROM event WHERE id = ANY ($1) ORDER BY id', [texts.slice(1)]);
	same(result.rows.map((row) => row.payload), texts.slice(1), 'an array of strings as a parameter');
	result = await client.query('SELECT array_agg(id::text ORDER BY id) AS ids FROM event');
	same(result.rows[0].ids, texts, 'an array through text[]');
	result = await client.query('SELECT array_agg(id ORDER BY id) AS ids FROM event');
	same(result.rows[0].ids, `{${texts}}`, 'an array comes as one string');

	await client.query('TRUNCATE event');
	for (const id of bytes) {
		await client.query('INSERT INTO event (id) VALUES ($1)', [id]);
	}
	result = await client.query('SELECT id FROM event ORDER BY id');
	same(result.rows.map((row) => row.id), texts, 'a Buffer as a parameter');
	result = await client.query('SELECT id FROM event WHERE id = $1', [bytes[2]]);
	same(result.rows, [{ id: texts[2] }], 'a Buffer to compare with');
	result = await client.query('SELECT id FROM event WHERE id = ANY ($1) ORDER BY id', [bytes.slice(0, 2)]);
	same(result.rows.map((row) => row.id), texts.slice(0, 2), 'an array of Buffers to compare with');
	result = await client.query('SELECT $1::sno AS id, $2::sno[] AS ids', [null, []]);
	same(result.rows, [{ id: null, ids: '{}' }], 'NULL and no elements');

	await refused(client, '22P02', 'a text that is no sno', 'INSERT INTO event (id) VALUES ($1)', ['9Q7JQM682EKS4222']);
	await refused(client, '22P03', 'a Buffer of nine bytes', 'INSERT INTO event (id) VALUES ($1)', [Buffer.alloc(9)]);
}

async function defaultAndTime(client) {
	await client.query('TRUNCATE event');
	const { rows: [{ id }] } = await client.query(
		'INSERT INTO event (payload) VALUES ($1) RETURNING id', ['hello']);
	const since = new Date(Date.now() - hour);
	const { rows } = await client.query(
		'SELECT id FROM event WHERE id >= $1::timestamptz', [since]);
	same(rows, [{ id }], 'a generated id, and a range of time');
	await refused(client, '22P02', 'a Date needs its type', 'SELECT FROM event WHERE id >= $1', [since]);
	const fields = await client.query('SELECT sno_meta($1) AS meta, $1::sno::timestamptz AS at', [id]);
	same(fields.rows[0], { meta: 3, at: new Sno(id).time }, 'its metabyte, and its time');
	same(new Sno(texts[1]).time, time, 'the time of an id, without the server');
}

async function withClass(client) {
	const snos = texts.map((text) => new Sno(text));
	await client.query('TRUNCATE event');
	for (const id of snos) {
		await client.query({
			name: 'insert', text: 'INSERT INTO event (id, payload) VALUES ($1, $2)', values: [id, id.text],
		});
	}
	let result = await client.query('SELECT id, payload FROM event ORDER BY id');
	same(result.rows, snos.map((id) => ({ id, payload: id.text })), 'rows');
	result = await client.query({ name: 'select', text: 'SELECT id FROM event WHERE id = $1', values: [snos[1]] });
	same(result.rows, [{ id: snos[1] }], 'a prepared comparison');
	result = await client.query('SELECT $1::sno AS id', [null]);
	same(result.rows, [{ id: null }], 'NULL');
	const list = [snos[2], null, snos[0]];
	result = await client.query('SELECT $1::sno[] AS ids', [list]);
	same(result.rows, [{ ids: list }], 'an array with a NULL');

	// The driver takes binary results for UTF-8: brianc/node-postgres#3495
	result = await client.query({ text: 'SELECT $1::int AS number', values: [1000], binary: true });
	same(result.rows[0].number, 1007, 'binary results are damaged, those of other types, too');
}

async function copy(client) {
	await client.query('TRUNCATE event');
	const lines = texts.map((id) => `${id}\t${id}\n`);
	await pipeline(
		Readable.from(lines),
		client.query(copyFrom('COPY event (id, payload) FROM STDIN')));
	const { rows } = await client.query('SELECT id::bytea AS id FROM event WHERE id::text = payload ORDER BY 1');
	same(rows.map((row) => row.id), bytes, 'COPY in');

	let got = '';
	const collect = new Writable({
		write(chunk, encoding, done) {
			got += chunk;
			done();
		},
	});
	await pipeline(client.query(copyTo('COPY (SELECT * FROM event ORDER BY id) TO STDOUT')), collect);
	same(got, lines.join(''), 'COPY out');
}

async function inPool() {
	const pool = new pg.Pool({ onConnect: registerSno });
	const results = await Promise.all(texts.map(
		(id) => pool.query('SELECT $1::sno AS id', [id])));
	same(results.map((result) => result.rows[0].id.text), texts, 'every client of a pool knows the class');
	await pool.end();
}

async function main() {
	const client = new pg.Client();
	await client.connect();
	await asItComes(client);
	await defaultAndTime(client);
	await registerSno(client);
	await withClass(client);
	await copy(client);
	await client.end();
	await inPool();
}

run(main);

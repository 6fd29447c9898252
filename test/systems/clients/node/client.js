/*
 * client.js
 *		sno with node-postgres: as it comes, and with a class of its own.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { Readable } = require('node:stream');
const { pipeline } = require('node:stream/promises');
const pg = require('pg');
const { from: copyFrom } = require('pg-copy-streams');
const { texts, bytes, time, hour, same, refused, run } = require('./tap');

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

	result = await client.query('SELECT id FROM event WHERE id = ANY ($1) ORDER BY id', [texts.slice(1)]);
	same(result.rows.map((row) => row.id), texts.slice(1), 'an array of strings as a parameter');
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

async function withClass(client) {
	const [first, second, third] = texts.map((text) => new Sno(text));
	same(second.time, time, 'the time of an id, without the server');
	const list = [third, null, first];
	const { rows } = await client.query(
		'SELECT $1::sno AS id, $2::sno AS nothing, $3::sno[] AS list', [second, null, list]);
	same(rows, [{ id: second, nothing: null, list }], 'the class, NULL, and an array with both');

	// The driver takes binary results for UTF-8: brianc/node-postgres#3495
	const result = await client.query({ text: 'SELECT $1::int AS number', values: [1000], binary: true });
	same(result.rows[0].number, 1007, 'binary results are damaged, those of other types, too');
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

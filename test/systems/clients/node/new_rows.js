/*
 * new_rows.js
 *		examples/new_rows.js reads each row once, also one whose transaction commits
 *		late.
 *
 * test/systems/clients/run runs it, in the root of the checkout.  Prints TAP.
 */
'use strict';

const path = require('node:path');
const pg = require('pg');
const { poll } = require(path.resolve('examples/new_rows.js'));
const { same, refused, run } = require('./tap');

run(async () => {
	const [reader, slow, fast] = [new pg.Client(), new pg.Client(), new pg.Client()];
	const seen = [];
	const insert = (client, kind) => client.query('INSERT INTO event (kind) VALUES ($1)', [kind]);
	const pollUntil = async (count) => {
		while (seen.length < count) await poll(reader, 'mailer', ({ kind }) => seen.push(kind));
	};

	await Promise.all([reader, slow, fast].map((client) => client.connect()));
	await reader.query(`ALTER TABLE event ADD kind text;
		CREATE TABLE reader (name text PRIMARY KEY, since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min());
		INSERT INTO reader VALUES ('mailer')`);
	await insert(fast, 'first');
	await pollUntil(1);
	await slow.query('BEGIN');
	await insert(slow, 'late');
	await insert(fast, 'early');
	let failed;
	await poll(reader, 'mailer', ({ kind }) => seen.push(kind));
	same(seen, ['first'], 'nothing is read past a transaction that is open');
	await slow.query('COMMIT');
	while (!failed) {
		await poll(reader, 'mailer', ({ kind }) => { throw new Error(kind); }).catch(({ message }) => { failed = message; });
	}
	await pollUntil(3);
	same([failed, ...seen], ['late', 'first', 'late', 'early'],
		'then all is, in the order of the ids, and what could not be handled is read again');
	await slow.query('UPDATE reader SET upto = sno_max()');
	await refused(poll(reader, 'mailer', () => {}), 'a cursor ahead of the bound is an error', '55000');
	await poll(reader, 'nobody', () => {}).catch(({ message }) => { failed = message; });
	same(failed, 'there is no reader nobody', 'so is a reader that there is not');
	await Promise.all([reader, slow, fast].map((client) => client.end()));
});

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
const { same, run } = require('./tap');

run(async () => {
	const [reader, slow, fast] = [new pg.Client(), new pg.Client(), new pg.Client()];
	const seen = [];
	const insert = (client, kind) => client.query('INSERT INTO event (kind) VALUES ($1)', [kind]);
	const pollUntil = async (count) => {
		do await poll(reader, 'mailer', ({ kind }) => seen.push(kind)); while (seen.length < count);
	};

	await Promise.all([reader, slow, fast].map((client) => client.connect()));
	await reader.query(`ALTER TABLE event ADD kind text;
		CREATE TABLE reader (name text PRIMARY KEY, since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min());
		INSERT INTO reader VALUES ('mailer')`);
	await slow.query('BEGIN');
	await insert(slow, 'late');
	await insert(fast, 'early');
	await pollUntil(0);
	same(seen, [], 'nothing is read past a transaction that is open');
	await slow.query('COMMIT');
	let failed;
	while (!failed) {
		await poll(reader, 'mailer', ({ kind }) => { throw new Error(kind); }).catch(({ message }) => { failed = message; });
	}
	await pollUntil(2);
	same([failed, ...seen], ['late', 'late', 'early'], 'then all is, in the order of the ids, and what could not be handled is read again');
	await Promise.all([reader, slow, fast].map((client) => client.end()));
});

/*
 * tap.js
 *		Three ids to try, and what prints TAP.
 */
'use strict';

const assert = require('node:assert');

const texts = ['2222222222222222', '9q7jqm682eks4222', 'xxxxxxxxxxxxxxxx'];
const bytes = ['00000000000000000000', '3e0b1c50860325a10000', 'ffffffffffffffffffff']
	.map((hex) => Buffer.from(hex, 'hex'));
const hour = 3600 * 1000;

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgres://${PGUSER}:${PGPASSWORD}@localhost:${PGPORT}/${PGDATABASE}`;

let count = 0;

function same(got, expected, what) {
	assert.deepStrictEqual(got, expected);
	console.log(`ok - ${what}`);
	count++;
}

async function refused(failing, what, sqlstate = '22P02') {
	const error = await failing.catch((thrown) => thrown.cause ?? thrown);
	same(error.code, sqlstate, what);
}

function run(main) {
	main().then(() => console.log(`1..${count}`));
}

module.exports = { texts, bytes, hour, url, same, refused, run };

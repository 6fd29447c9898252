/*
 * tap.js
 *		Three ids to try, and what prints a line of TAP for each test.
 */
'use strict';

const assert = require('node:assert');

const texts = ['2222222222222222', '9q7jqm682eks4222', 'xxxxxxxxxxxxxxxx'];
const bytes = ['00000000000000000000', '3e0b1c50860325a10000', 'ffffffffffffffffffff']
	.map((hex) => Buffer.from(hex, 'hex'));
const hour = 3600 * 1000;

const { PGUSER, PGPASSWORD, PGPORT, PGDATABASE } = process.env;
const url = `postgres://${PGUSER}:${PGPASSWORD}@localhost:${PGPORT}/${PGDATABASE}`;

function same(got, expected, what) {
	assert.deepStrictEqual(got, expected);
	console.log(`ok - ${what}`);
}

async function refused(failing, what, sqlstate = '22P02') {
	const error = await failing.catch((thrown) => thrown.cause ?? thrown);
	same(error.code, sqlstate, what);
}

// Failed until its end, as a program that waits for what never comes ends without an error
function run(main) {
	process.exitCode = 1;
	main().then(() => { process.exitCode = 0; });
}

module.exports = { texts, bytes, hour, url, same, refused, run };

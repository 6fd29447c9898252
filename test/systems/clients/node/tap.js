/*
 * tap.js
 *		Three ids to try, and what prints TAP.
 */
'use strict';

const assert = require('node:assert');

const texts = ['2222222222222222', '9q7jqm682eks4222', 'xxxxxxxxxxxxxxxx'];
const bytes = ['00000000000000000000', '3e0b1c50860325a10000', 'ffffffffffffffffffff']
	.map((hex) => Buffer.from(hex, 'hex'));
// Of the second one
const time = new Date('2026-11-21T09:19:14.700Z');
const hour = 3600 * 1000;

let count = 0;

function same(got, expected, what) {
	count++;
	try {
		assert.deepStrictEqual(got, expected);
		console.log(`ok ${count} - ${what}`);
	} catch (error) {
		process.exitCode = 1;
		console.log(`not ok ${count} - ${what}`);
		console.log(error.message.replace(/^/gm, '# '));
	}
}

// The error has this SQLSTATE, and the connection lives on
async function refused(sqlstate, what, failing, alive) {
	let got = null;
	try {
		await failing;
	} catch (error) {
		got = (error.cause ?? error).code;
	}
	same([got, (await alive('SELECT 1 AS one')).rows], [sqlstate, [{ one: 1 }]], what);
}

function run(main) {
	main().then(() => console.log(`1..${count}`), (error) => {
		console.error(error);
		// Connections that are open would keep it alive
		process.exit(1);
	});
}

module.exports = { texts, bytes, time, hour, same, refused, run };

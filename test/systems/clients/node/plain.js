/*
 * plain.js
 *		examples/sno.js, as a browser loads it, and examples/sno.duckdb.sql read the
 *		golden vectors, and refuse what is no sno.
 *
 * test/systems/clients/run runs it, in the root of the checkout.
 */
'use strict';

const fs = require('node:fs');
const vm = require('node:vm');
const { DuckDBInstance } = require('@duckdb/node-api');
const { same, refused, run } = require('./tap');

const wrong = ['9q7jqm682eks422', '9q7jqm682eks422y', '9q7jqm682eks4222\n', '9Q7JQM682EKS4222'];
const vectors = fs.readFileSync('test/unit/vectors.tsv', 'ascii').trimEnd().split('\n')
	.map((line) => line.split('\t'));

async function reads(read, what) {
	const rows = [];
	for (const [text] of vectors) {
		rows.push((await read(text)).map(Number));
	}
	same(rows, vectors.map(([, , , us, ...fields]) => [us / 1000, ...fields.map(Number)]),
		`${what}: time and fields of the vectors`);
	for (const text of wrong) {
		const failing = read(text).catch(({ message }) => {
			throw { code: message.includes('no sno: ') };
		});
		await refused(failing, `${what}: ${JSON.stringify(text)} is refused`, true);
	}
}

run(async () => {
	same(vectors.length, 87, 'there are vectors');
	vm.runInThisContext(fs.readFileSync('examples/sno.js', 'utf8'));
	await reads(async (text) => Object.values(readSno(text)), 'JavaScript');

	const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
	await duckdb.run(fs.readFileSync('examples/sno.duckdb.sql', 'utf8'));
	await reads(async (text) => (await duckdb.runAndReadAll(
		`SELECT epoch_ms(sno_timestamp(id)), sno_tick_tock(id), sno_meta(id), sno_partition(id), sno_sequence(id)
		FROM (VALUES ('${text}')) AS ids (id)`)).getRows()[0],
	`DuckDB ${(await duckdb.runAndReadAll('SELECT version()')).getRows()}`);
});

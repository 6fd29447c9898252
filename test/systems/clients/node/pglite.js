/*
 * pglite.js
 *		sql/portable/for-tests.sql in PGlite: the tutorial's SQL, that of the pages for
 *		developers and readers, and examples/sno_drizzle.ts run as with the extension.
 *
 * test/systems/clients/run runs it, in the root of the checkout.
 */
'use strict';

const { readFileSync } = require('node:fs');
const { PGlite } = require('@electric-sql/pglite');
const { drizzle } = require('drizzle-orm/pglite');
const { withDrizzle } = require('./drizzle');
const { hour, same, refused, run } = require('./tap');

const blocks = (page) => [...readFileSync(`doc/${page}`, 'utf8').matchAll(/^```sql\n(.*?)^```$/gms)].map((found) => found[1]);

// A database, as doc/developing.md makes it
async function open() {
	const db = new PGlite();
	const load = (name) => db.exec(readFileSync(`sql/portable/${name}`, 'utf8'));

	await db.exec('CREATE SCHEMA sno_sql; SET search_path = sno_sql');
	await load('sno.sql');
	await db.exec('RESET search_path');
	await load('for-tests.sql');
	return db;
}

// What a page's SQL returns: the rows of each block's statements, as arrays
async function read(db, page) {
	const results = [];

	for (const sql of blocks(page)) {
		// One by one, as psql sends them: together they would be one transaction
		const statements = sql.replace(/^CREATE EXTENSION .*;$/gm, '').replace(/\\g \|.*/g, ';').split(/;(?=\s*(?:--.*)?$)/m);
		const rows = [];
		for (const statement of statements) {
			rows.push(...(await db.exec(statement, { rowMode: 'array' })).map((result) => result.rows));
		}
		results.push({ sql, rows });
	}
	return (begin) => results.find(({ sql }) => sql.includes(begin)).rows.filter((rows) => rows.length);
}

async function pages() {
	const db = await open();
	const tutorial = await read(db, 'tutorial.md');

	same(tutorial('SELECT sno_meta(id) AS metabyte'), [[[1, 10001], [2, 1]]], 'the tutorial: metabytes');
	const [count, plan] = tutorial("now() - interval '1 hour'");
	same([count, /Index Cond/.test(plan)], [[[10002]], true], 'a range of time is a range of the index');
	same(tutorial('id::timestamptz')[0][0][0] > new Date(Date.now() - hour), true, 'an id is cast to its time');
	same(tutorial("timestamptz '2026-01-01 00:00+00'")[0].map((row) => row[0]), ['visit_20260101', 'visit_20260102', 'visit_20260103'],
		'partitions are created');
	same(String(tutorial('EXPLAIN (COSTS OFF) SELECT * FROM visit')).match(/visit_\d+ /g), ['visit_20260102 '], 'and pruned');
	same(tutorial('sno_drop_partitions')[0].map((row) => row[0]), [1, 2, 3].map((day) => `public.visit_2026010${day}`), 'and dropped');
	same(tutorial("VALUES ('a new page')")[0].map((row) => row[1]), ['a new page'], 'a reader reads what is new');

	const developing = await read(db, 'developing.md');
	same(developing('keeps_its_id')[0], [[true]], 'the page for developers');
	same(developing('AS grace')[0], [['9d5ve82226222223', '9d5ve82226222224']], 'the ids of fixtures are those of the extension');

	// Text, bytes, time, microseconds since 1970, tick-tock, metabyte, partition, sequence
	const vectors = readFileSync('test/unit/vectors.tsv', 'utf8').match(/^[2-9a-x]{16}\t.*/gm).map((line) => line.split('\t'));
	const { rows } = await db.query(`SELECT id, (extract(epoch FROM sno_timestamp(id)) * 1000000)::bigint::text,
		sno_tick_tock(id)::int::text, sno_meta(id)::text, sno_partition(id)::text, sno_sequence(id)::text,
		sno_make(sno_timestamp(id), sno_meta(id), sno_partition(id), sno_sequence(id), sno_tick_tock(id))
		FROM unnest($1::text::sno[]) AS id`, [`{${vectors.map(([text]) => text)}}`], { rowMode: 'array' });
	same(rows, vectors.map((line) => [line[0], ...line.slice(3, 8), line[0]]), `the fields of ${rows.length} known ids, too`);
	await db.close();
}

async function drizzleOnPglite() {
	const client = await open();
	const db = drizzle(client);

	await client.exec(readFileSync('test/systems/clients/table.sql', 'utf8').replace(/^.*(EXTENSION|SCHEMA).*$/gm, ''));
	await client.exec('CREATE TABLE note (id sno PRIMARY KEY DEFAULT sno_generate(4), event_id sno REFERENCES event, seen sno[])');
	await withDrizzle(db, (query) => refused(query, 'no id', '23514'));
	await client.close();
}

run(async () => {
	await pages();
	await drizzleOnPglite();
});

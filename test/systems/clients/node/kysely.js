/*
 * kysely.js
 *		sno with Kysely: strings, and a time in a condition.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { Kysely, PostgresDialect, sql } = require('kysely');
const pg = require('pg');
const { texts, hour, same, refused, run } = require('./tap');

async function main() {
	const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });

	const { id } = await db.insertInto('event').values({ payload: 'hello' })
		.returning('id').executeTakeFirstOrThrow();
	const since = new Date(Date.now() - hour);
	const rows = await db.selectFrom('event').selectAll()
		.where('id', '>=', sql`sno_lower_bound(${since})`).execute();
	same(rows, [{ id, payload: 'hello' }], 'insert brings the id, and a range of time');
	await refused(db.selectFrom('event').selectAll().where('id', '>=', since).execute(), 'a Date needs its type');

	await db.insertInto('event').values(texts.map((id) => ({ id, payload: id }))).execute();
	const some = await db.selectFrom('event').select('id')
		.where('id', 'in', texts.slice(1)).orderBy('id').execute();
	same(some.map((row) => row.id), texts.slice(1), 'in');
	await refused(db.selectFrom('event').select(['id', sql`id::timestamptz`]).orderBy('id').execute(),
		'an id and its time want two names to order by', '42702');

	await db.schema.createTable('note')
		.addColumn('id', sql`sno`, (column) => column.primaryKey().defaultTo(sql`sno_generate(4)`))
		.addColumn('seen', sql`sno[]`).execute();
	const seen = [texts[2], null, texts[0]];
	same(await db.insertInto('note').values({ seen }).returning(sql`seen::text[]`.as('seen')).execute(),
		[{ seen }], 'an array, in a table that it made');
	await db.destroy();
}

run(main);

/*
 * kysely.js
 *		sno with Kysely: strings, and a time in a condition.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { Kysely, PostgresDialect, sql } = require('kysely');
const pg = require('pg');
const { texts, time, hour, same, refused, run } = require('./tap');

async function main() {
	const db = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
	const alive = (text) => db.executeQuery(sql.raw(text).compile(db));

	const { id } = await db.insertInto('event').values({ payload: 'hello' })
		.returning('id').executeTakeFirstOrThrow();
	const [{ meta }] = await db.selectFrom('event').select(sql`sno_meta(id)`.as('meta'))
		.where('id', '=', id).execute();
	same([id.length, meta], [16, 3], "insert brings the id, with the default's metabyte");

	const since = new Date(Date.now() - hour);
	const rows = await db.selectFrom('event').selectAll()
		.where('id', '>=', sql`sno_lower_bound(${since})`).execute();
	const before = await db.selectFrom('event').selectAll()
		.where('id', '<', sql`sno_lower_bound(${since})`).execute();
	same([rows.length, before.length], [1, 0], 'a range of time');
	await refused('22P02', 'a Date needs its type',
		db.selectFrom('event').selectAll().where('id', '>=', since).execute(), alive);

	await db.insertInto('event').values(texts.map((id) => ({ id, payload: id }))).execute();
	const some = await db.selectFrom('event').select('id')
		.where('id', 'in', texts.slice(1)).orderBy('id').execute();
	same(some.map((row) => row.id), texts.slice(1), 'in');
	same(await db.selectFrom('event').select(['id', sql`id::timestamptz`.as('at')])
		.where('id', '=', texts[1]).orderBy('id').execute(), [{ id: texts[1], at: time }], 'the time of an id');
	await refused('42702', 'an id and its time want two names to order by',
		db.selectFrom('event').select(['id', sql`id::timestamptz`]).orderBy('id').execute(), alive);

	await db.schema.createTable('note')
		.addColumn('id', sql`sno`, (column) => column.primaryKey().defaultTo(sql`sno_generate(4)`))
		.addColumn('seen', sql`sno[]`).execute();
	const seen = [texts[2], null, texts[0]];
	same(await db.insertInto('note').values({ seen }).returning(sql`seen::text[]`.as('seen')).execute(),
		[{ seen }], 'an array, in a table that it made');
	await db.destroy();
}

run(main);

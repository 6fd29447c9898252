/*
 * typed.js
 *		sno with Drizzle and Kysely: examples/sno_drizzle.ts and sno_kysely.ts, compiled
 *		by tsc --strict.
 *
 * test/systems/clients/run runs it.
 */
'use strict';

const { drizzle } = require('drizzle-orm/node-postgres');
const { Kysely, PostgresDialect } = require('kysely');
const pg = require('pg');
const { withDrizzle } = require('./drizzle');
const kysely = require('./examples/sno_kysely');
const { registerSno } = require('./examples/sno_pg');
const { texts, hour, same, refused, run } = require('./tap');

const since = new Date(Date.now() - hour);
const seen = [texts[2], null, texts[0]];

async function withKysely(pool) {
	const db = new Kysely({ dialect: new PostgresDialect({ pool }) });

	await db.schema.dropTable('note').execute();
	await kysely.createNote(db);
	await db.deleteFrom('event').execute();
	const event = await db.insertInto('event').values({ payload: 'a' }).returning(['id', 'payload']).executeTakeFirstOrThrow();
	same((await kysely.eventsSince(db, since)).map(({ id }) => id), [event.id], 'Kysely: a range of time');
	const note = await db.insertInto('note').values({ event_id: event.id, seen }).returning(['event_id', 'seen'])
		.executeTakeFirstOrThrow();
	same(note, { event_id: event.id, seen }, 'related, with an array and a NULL in it');
	await refused(db.selectFrom('event').selectAll().where('id', 'in', ['no id']).execute(), 'no id');
}

run(async () => {
	const pool = new pg.Pool({ onConnect: registerSno });
	await pool.query('CREATE TABLE note (id sno PRIMARY KEY DEFAULT sno_generate(4), event_id sno REFERENCES event, seen sno[])');
	await withDrizzle(drizzle(pool), (query) => refused(query, 'no id'));
	await withKysely(pool);
	await pool.end();
});

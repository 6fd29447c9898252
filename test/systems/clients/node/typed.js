/*
 * typed.js
 *		sno with Drizzle and Kysely: examples/sno_drizzle.ts and sno_kysely.ts, compiled
 *		by tsc --strict.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { eq, inArray } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const { Kysely, PostgresDialect } = require('kysely');
const pg = require('pg');
const drizzled = require('./examples/sno_drizzle');
const kysely = require('./examples/sno_kysely');
const { registerSno } = require('./examples/sno_pg');
const { texts, hour, same, refused, run } = require('./tap');

const since = new Date(Date.now() - hour);
const seen = [texts[2], null, texts[0]];

async function withDrizzle(pool) {
	const db = drizzle(pool);
	const { event, note, eventsSince } = drizzled;

	const events = await db.insert(event).values([{ payload: 'a' }, { payload: 'b' }]).returning();
	same(events.map(({ payload }) => payload), ['a', 'b'], 'Drizzle: an insert brings the ids');
	same(await eventsSince(db, since), events, 'a range of time');
	await refused(db.select().from(event).where(eq(event.id, 'no id')), 'no id');
	await db.insert(event).values(texts.map((id) => ({ id })));
	const found = await db.select().from(event).where(inArray(event.id, texts)).orderBy(event.id);
	same(found.map(({ id }) => id), texts, 'inArray');
	await db.insert(note).values({ eventId: events[0].id, seen: texts });
	const [row] = await db.select().from(note).innerJoin(event, eq(event.id, note.eventId));
	same([row.event, row.note.seen], [events[0], texts], 'related, with an array');
}

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
	await withDrizzle(pool);
	await withKysely(pool);
	await pool.end();
});

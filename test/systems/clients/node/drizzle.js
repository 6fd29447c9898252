/*
 * drizzle.js
 *		sno with Drizzle: a type of a line, in tables of ours.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { asc, eq, gt, gte, inArray, relations, sql } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const { customType, pgTable, text } = require('drizzle-orm/pg-core');
const pg = require('pg');
const { texts, time, hour, same, refused: tapRefused, run } = require('./tap');

const sno = customType({ dataType: () => 'sno' });

const event = pgTable('event', {
	id: sno('id').primaryKey().default(sql`sno_generate(3)`),
	payload: text('payload'),
});

const note = pgTable('note', {
	id: sno('id').primaryKey().default(sql`sno_generate(4)`),
	eventId: sno('event_id').references(() => event.id),
	seen: sno('seen').array(),
});

const eventRelations = relations(event, ({ many }) => ({ notes: many(note) }));
const noteRelations = relations(note, ({ one }) => ({
	event: one(event, { fields: [note.eventId], references: [event.id] }),
}));

const refused = (db, sqlstate, what, query) =>
	tapRefused(sqlstate, what, query, (text) => db.execute(text));

async function madeByTheServer(db) {
	const [{ id }] = await db.insert(event).values({ payload: 'hello' }).returning();
	const [{ meta }] = await db.select({ meta: sql`sno_meta(${event.id})` })
		.from(event).where(eq(event.id, id));
	same([id.length, meta], [16, 3], "insert brings the id, with the default's metabyte");

	const payloads = [...'abcdefgh'].map((payload) => ({ payload }));
	const rows = await db.insert(event).values(payloads).returning();
	same(await db.select().from(event).where(gt(event.id, id)).orderBy(asc(event.id)), rows,
		'many at once, each with the id of its row, in order');

	await db.update(event).set({ payload: 'changed' }).where(eq(event.id, id));
	same(await db.query.event.findFirst({ where: eq(event.id, id) }),
		{ id, payload: 'changed' }, 'update and findFirst');
}

async function byTime(db) {
	const since = new Date(Date.now() - hour);
	const rows = await db.select().from(event)
		.where(sql`${event.id} >= ${since}::timestamptz`);
	const before = await db.select().from(event)
		.where(sql`${event.id} < ${since}::timestamptz`);
	same([rows.length, before.length], [9, 0], 'a range of time');
	await refused(db, '22P02', 'a Date needs its type', db.select().from(event).where(gte(event.id, since)));
}

async function asItComes(db) {
	await db.insert(event).values(texts.map((id) => ({ id, payload: id })));
	const rows = await db.select({ id: event.id }).from(event)
		.where(inArray(event.id, texts.slice(1))).orderBy(asc(event.id));
	same(rows.map((row) => row.id), texts.slice(1), 'inArray');

	const at = sql`${event.id}::timestamptz`.mapWith((text) => new Date(text));
	same(await db.select({ at }).from(event).where(eq(event.id, texts[1])), [{ at: time }], 'the time of an id');

	await refused(db, '22P02', 'a text that is no sno',
		db.select().from(event).where(eq(event.id, '9Q7JQM682EKS4222')));
}

async function related(db) {
	const [{ id }] = await db.insert(event).values({ payload: 'with notes' }).returning();
	const seen = [texts[2], null, texts[0]];
	await db.insert(note).values({ eventId: id, seen });
	const got = await db.query.event.findFirst({ where: eq(event.id, id), with: { notes: true } });
	same([got.notes[0].eventId, got.notes[0].seen], [id, seen], 'related, with an array and a NULL in it');
	const rows = await db.select({ payload: event.payload }).from(note)
		.innerJoin(event, eq(note.eventId, event.id)).where(sql`${texts[0]} = ANY (${note.seen})`);
	same(rows, [{ payload: 'with notes' }], 'joined, and in an array');

	const [none] = await db.insert(note).values({}).returning();
	same([none.eventId, none.seen], [null, null], 'NULL');
	await refused(db, '23503', 'a foreign key to nothing', db.insert(note).values({ eventId: '3'.repeat(16) }));
}

async function main() {
	const pool = new pg.Pool();
	const db = drizzle(pool, { schema: { event, note, eventRelations, noteRelations } });
	await db.execute(sql`CREATE TABLE note (
		id sno PRIMARY KEY DEFAULT sno_generate(4),
		event_id sno REFERENCES event,
		seen sno[])`);
	same([event.id.getSQLType(), note.seen.getSQLType()], ['sno', 'sno[]'], 'the types for a migration');
	await madeByTheServer(db);
	await byTime(db);
	await asItComes(db);
	await related(db);
	await pool.end();
}

run(main);

/*
 * drizzle.js
 *		sno with Drizzle: the tables of examples/sno_drizzle.js, and what drizzle-kit makes
 *		of the database.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { asc, eq, gte, inArray, relations, sql } = require('drizzle-orm');
const { drizzle } = require('drizzle-orm/node-postgres');
const pg = require('pg');
const { event, note, eventsSince } = require('./examples/sno_drizzle');
const { texts, hour, url, same, refused, run } = require('./tap');

const eventRelations = relations(event, ({ many }) => ({ notes: many(note) }));
const noteRelations = relations(note, ({ one }) => ({
	event: one(event, { fields: [note.eventId], references: [event.id] }),
}));

async function madeByTheServer(db) {
	const [{ id }] = await db.insert(event).values({ payload: 'hello' }).returning();
	const since = new Date(Date.now() - hour);
	same(await eventsSince(db, since), [{ id, payload: 'hello' }], 'insert brings the id, and a range of time');
	await refused(db.select().from(event).where(gte(event.id, since)), 'a Date needs its type');
}

async function asItComes(db) {
	await db.insert(event).values(texts.map((id) => ({ id, payload: id })));
	const rows = await db.select({ id: event.id }).from(event)
		.where(inArray(event.id, texts.slice(1))).orderBy(asc(event.id));
	same(rows.map((row) => row.id), texts.slice(1), 'inArray');

	const [eventId] = texts;
	const seen = [texts[2], null, texts[0]];
	await db.insert(note).values({ eventId, seen });
	const got = await db.query.event.findFirst({ where: eq(event.id, eventId), with: { notes: true } });
	same([got.notes[0].eventId, got.notes[0].seen], [eventId, seen], 'related, with an array and a NULL in it');
	const joined = await db.select({ payload: event.payload }).from(note)
		.innerJoin(event, eq(note.eventId, event.id)).where(sql`${texts[0]} = ANY (${note.seen})`);
	same(joined, [{ payload: eventId }], 'joined, and in an array');
}

// With sno in a schema of its own
function pulled() {
	fs.writeFileSync(path.join(__dirname, 'drizzle.config.js'),
		`module.exports = ${JSON.stringify({ dialect: 'postgresql', out: 'pulled', dbCredentials: { url, ssl: false } })}`);
	execFileSync(process.execPath, ['node_modules/drizzle-kit/bin.cjs', 'pull'], { cwd: __dirname });
	const schema = fs.readFileSync(path.join(__dirname, 'pulled/schema.ts'), 'utf8');
	same(schema.match(/(pg\w+|unknown)\("\w+"/g).sort(), ['pgTable("event"', 'pgTable("note"',
		'unknown("event_id"', 'unknown("id"', 'unknown("id"', 'unknown("seen"'],
		'drizzle-kit pull sees nothing of the extension, and not its type');
}

run(async () => {
	const pool = new pg.Pool();
	const db = drizzle(pool, { schema: { event, note, eventRelations, noteRelations } });
	await db.execute(sql`CREATE TABLE note (
		id sno PRIMARY KEY DEFAULT sno_generate(4),
		event_id sno REFERENCES event,
		seen sno[])`);
	same([event.id.getSQLType(), note.seen.getSQLType()], ['sno', 'sno[]'], 'the types for a migration');
	await madeByTheServer(db);
	await asItComes(db);
	await pool.end();
	pulled();
});

/*
 * drizzle.js
 *		examples/sno_drizzle.ts, in whatever database Drizzle has been given.
 *
 * For typed.js and pglite.js.
 */
'use strict';

const { eq, inArray } = require('drizzle-orm');
const { event, note, eventsSince } = require('./examples/sno_drizzle');
const { texts, hour, same } = require('./tap');

// isRefused(query): that the query fails, as there is no id in it
async function withDrizzle(db, isRefused) {
	const events = await db.insert(event).values([{ payload: 'a' }, { payload: 'b' }]).returning();
	same(events.map(({ payload }) => payload), ['a', 'b'], 'Drizzle: an insert brings the ids');
	same(await eventsSince(db, new Date(Date.now() - hour)), events, 'a range of time');
	await isRefused(db.insert(event).values({ id: 'no id' }));
	await db.insert(event).values(texts.map((id) => ({ id })));
	const found = await db.select().from(event).where(inArray(event.id, texts)).orderBy(event.id);
	same(found.map(({ id }) => id), texts, 'inArray');
	await db.insert(note).values({ eventId: events[0].id, seen: texts });
	const [row] = await db.select().from(note).innerJoin(event, eq(event.id, note.eventId));
	same([row.event, row.note.seen], [events[0], texts], 'related, with an array');
}

module.exports = { withDrizzle };

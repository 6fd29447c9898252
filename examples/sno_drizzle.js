// sno with Drizzle: an id is a string, an array of them an array of strings.
'use strict';

const { sql } = require('drizzle-orm');
const { customType, pgTable, text } = require('drizzle-orm/pg-core');

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

// A Date is sent without its type
const eventsSince = (db, since) => db.select().from(event)
	.where(sql`${event.id} >= ${since}::timestamptz`);

module.exports = { sno, event, note, eventsSince };

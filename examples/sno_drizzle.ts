// sno with Drizzle: an id is a string, an array of them an array of strings.
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { customType, pgTable, text } from 'drizzle-orm/pg-core';

export const sno = customType<{ data: string }>({ dataType: () => 'sno' });

export const event = pgTable('event', {
	id: sno('id').primaryKey().default(sql`sno_generate(3)`),
	payload: text('payload'),
});

export const note = pgTable('note', {
	id: sno('id').primaryKey().default(sql`sno_generate(4)`),
	eventId: sno('event_id').references(() => event.id),
	seen: sno('seen').array(),
});

// A Date is sent without its type
export const eventsSince = (db: NodePgDatabase, since: Date) => db.select().from(event)
	.where(sql`${event.id} >= ${since}::timestamptz`);

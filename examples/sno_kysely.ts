// sno with Kysely: an id is a string.
import { type Generated, type Kysely, sql } from 'kysely';

export interface Database {
	event: { id: Generated<string>; payload: string | null };
	note: { id: Generated<string>; event_id: string | null; seen: (string | null)[] | null };
}

export const createNote = (db: Kysely<Database>) => db.schema.createTable('note')
	.addColumn('id', sql`sno`, (column) => column.primaryKey().defaultTo(sql`sno_generate(4)`))
	.addColumn('event_id', sql`sno`, (column) => column.references('event.id'))
	.addColumn('seen', sql`sno[]`)
	.execute();

// A Date is sent without its type
export const eventsSince = (db: Kysely<Database>, since: Date) => db.selectFrom('event').selectAll()
	.where('id', '>=', sql<string>`${since}::timestamptz`)
	.execute();

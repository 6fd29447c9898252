// sno with node-postgres: an id is a string.  An array of ids would be a string, too,
// {…,…}; this makes it an array of strings, with null for NULL.
import * as pg from 'pg';
import { parse } from 'postgres-array';

// new pg.Pool({ onConnect: registerSno }).  Without effect until CREATE EXTENSION sno.
export async function registerSno(client: pg.ClientBase): Promise<void> {
	const { rows: [{ oid }] } = await client.query<{ oid: number | null }>("SELECT to_regtype('sno[]')::oid AS oid");
	if (oid !== null) {
		client.setTypeParser(oid, 'text', (text: string) => parse(text, (id) => id));
	}
}

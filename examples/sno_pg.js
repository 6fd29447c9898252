// sno with node-postgres: an id is a string.  An array of ids would be a string, too,
// {…,…}; this makes it an array of strings, with null for NULL.
'use strict';

const pg = require('pg');

async function registerSno(client) {
	const { rows: [{ oid }] } = await client.query("SELECT 'sno[]'::regtype::oid");
	client.setTypeParser(oid, 'text', (text) => pg.types.arrayParser.create(text, (id) => id).parse());
}

// new pg.Pool({ onConnect: registerSno })
module.exports = { registerSno };

/*
 * postgraphile.mjs
 *		sno with PostGraphile, and examples/sno_postgraphile.mjs.  Needs Node.js 22.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
import pg from 'pg';
import { makeSchema } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafast } from 'postgraphile/grafast';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { SnoPlugin } from './examples/sno_postgraphile.mjs';
import tap from './tap.js';

const { texts, url, same, run } = tap;

const preset = (plugins) => ({
	extends: [PostGraphileAmberPreset],
	plugins,
	pgServices: [makePgService({ connectionString: url, schemas: ['public'] })],
});

run(async () => {
	const client = new pg.Client();
	await client.connect();
	await client.query(`CREATE TABLE note (
		id sno PRIMARY KEY DEFAULT sno_generate(4), event_id sno REFERENCES event, seen sno[]);
		CREATE INDEX ON note (event_id)`);
	await client.end();

	const { schema, resolvedPreset } = await makeSchema(preset([SnoPlugin]));
	const ask = async (source, variableValues) => {
		const { data, errors } = await grafast({ schema, resolvedPreset, source, variableValues, requestContext: {} });
		return errors ? errors[0].message : JSON.parse(JSON.stringify(data));
	};
	const { createEvent: { event } } = await ask(
		'mutation { createEvent(input: {event: {payload: "hello"}}) { event { rowId payload } } }');
	same(event.payload, 'hello', 'a mutation brings the id');
	const seen = [texts[2], null, texts[0]];
	same(await ask(`mutation ($id: Sno!, $seen: [Sno]!) {
		createNote(input: {note: {eventId: $id, seen: $seen}}) { note { seen eventByEventId { rowId } } } }`,
	{ id: event.rowId, seen }), { createNote: { note: { seen, eventByEventId: { rowId: event.rowId } } } },
	'related, with an array and a NULL in it');
	same(await ask('query ($id: Sno!) { allEvents(condition: {rowId: $id}) { nodes { payload } } }', { id: event.rowId }),
		{ allEvents: { nodes: [{ payload: 'hello' }] } }, 'a condition');
	same(await ask('{ eventByRowId(rowId: "no id") { rowId } }'), 'invalid input syntax for type sno: "no id"',
		'a text that is no sno');

	const { schema: without } = await makeSchema(preset([]));
	same([Object.keys(without.getType('Event').getFields()), without.getType('Note')],
		[['id', 'payload'], undefined], 'without the plugin, ids are left out');
});

/*
 * typeorm.js
 *		sno with TypeORM: the entities of examples/sno_typeorm.ts, in tables that it makes.
 *
 * test/systems/clients/run runs it.
 */
'use strict';

const { In, MoreThanOrEqual } = require('typeorm');
const { Event, Note, connect, eventsSince } = require('./examples/sno_typeorm');
const { texts, hour, url, same, refused, run } = require('./tap');

run(async () => {
	const source = await connect(url);
	const events = source.getRepository(Event);
	const notes = source.getRepository(Note);

	await source.query('DROP TABLE event');
	await source.synchronize();
	const { upQueries } = await source.driver.createSchemaBuilder().log();
	same(upQueries, [], 'it made the tables, and sees no difference and nothing of the extension');

	const [first, ...others] = await events.save(events.create([{ payload: 'a' }, { payload: 'b' }, { payload: 'c' }]));
	const rows = await events.find({ order: { id: 'ASC' } });
	same(rows, [first, ...others], 'save brings the ids, each object has that of its row');
	const since = new Date(Date.now() - hour);
	same((await eventsSince(source, since)).length, 3, 'a range of time');
	await refused(events.findBy({ id: MoreThanOrEqual(since) }), 'a Date needs its type');

	await events.insert(texts.map((id) => ({ id, payload: id })));
	same((await events.findBy({ id: In(texts) })).map((row) => row.payload).sort(), texts, 'In');
	const seen = [texts[2], null, texts[0]];
	await notes.save({ event: first, seen });
	const [note] = await notes.find({ relations: { event: true } });
	same([note.event, note.seen], [first, seen], 'related, with an array and a NULL in it');
	await source.destroy();
});

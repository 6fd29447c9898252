// sno with TypeORM: an id is a string, an array of them an array of strings.
'use strict';

const { DataSource, EntitySchema, Raw } = require('typeorm');
const { registerSno } = require('./sno_pg');

const Event = new EntitySchema({
	name: 'event',
	columns: {
		id: { type: 'sno', primary: true, default: () => 'sno_generate(3)' },
		payload: { type: 'text', nullable: true },
	},
});

const Note = new EntitySchema({
	name: 'note',
	columns: {
		id: { type: 'sno', primary: true, default: () => 'sno_generate(4)' },
		seen: { type: 'sno', array: true, nullable: true },
	},
	relations: {
		event: { type: 'many-to-one', target: 'event', joinColumn: { name: 'event_id' } },
	},
});

async function connect(options) {
	const source = new DataSource({
		type: 'postgres', entities: [Event, Note], extra: { onConnect: registerSno }, ...options });
	source.driver.supportedDataTypes.push('sno'); // otherwise it refuses the type
	return source.initialize();
}

// A Date is sent without its type
const eventsSince = (source, since) => source.getRepository(Event)
	.findBy({ id: Raw((id) => `${id} >= :since::timestamptz`, { since }) });

module.exports = { Event, Note, connect, eventsSince };

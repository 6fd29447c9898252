/*
 * prisma.js
 *		sno with Prisma: the schema and the client of examples/.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
'use strict';

const { execFileSync } = require('node:child_process');
const path = require('node:path');
const { texts, hour, url, same, refused, run } = require('./tap');

run(async () => {
	// To generate the client, Prisma wants an engine to be there, and does not run it
	execFileSync(process.execPath, ['../node_modules/prisma/build/index.js', 'generate'], {
		cwd: path.join(__dirname, 'examples'),
		env: { ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: '1', PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true' } });
	const { connect, eventsSince } = require('./examples/sno_prisma');
	const prisma = connect(url);
	await prisma.$executeRaw`CREATE TABLE note (
		id sno PRIMARY KEY DEFAULT sno_generate(4), event_id sno REFERENCES event, seen sno[])`;

	const first = await prisma.event.create({ data: { payload: 'hello' } });
	const since = new Date(Date.now() - hour);
	same(await eventsSince(prisma, since), [first], 'create brings the id, and a range of time');
	await refused(prisma.$queryRaw`SELECT * FROM event WHERE id >= ${since}`, 'a Date needs its type', 'P2010');
	await refused(prisma.event.findUnique({ where: { id: 'no id' } }), 'a text that is no sno', 'P2007');

	await prisma.event.createMany({ data: texts.map((id) => ({ id, payload: id })) });
	const found = await prisma.event.findMany({ where: { id: { in: texts } }, orderBy: { id: 'asc' } });
	same(found.map((event) => event.id), texts, 'in');
	const page = await prisma.event.findMany({ cursor: { id: texts[1] }, skip: 1, take: 1, orderBy: { id: 'asc' } });
	same(page, [first], 'the next row after an id');
	const seen = [texts[2], texts[0]];
	const note = await prisma.note.create({ data: { event: { connect: { id: first.id } }, seen }, include: { event: true } });
	same([note.event, note.seen], [first, seen], 'related, with an array');
	same(await prisma.note.count({ where: { seen: { has: texts[0] } } }), 1, 'in an array');
	await prisma.$disconnect();
});

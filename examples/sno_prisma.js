// sno with Prisma: the client, which reads arrays of ids, too.
'use strict';

const { PrismaPg } = require('@prisma/adapter-pg');
const { PrismaClient } = require('@prisma/client');
const pg = require('pg');

// Of all types that are not PostgreSQL's own; an id never begins with {
async function parse(oid, value) {
	return typeof value === 'string' && value.startsWith('{')
		? pg.types.arrayParser.create(value, (element) => element).parse() : value;
}

const connect = (connectionString) => new PrismaClient({
	adapter: new PrismaPg({ connectionString }, { userDefinedTypeParser: parse }) });

// A Date is sent without its type
const eventsSince = (prisma, since) =>
	prisma.$queryRaw`SELECT * FROM event WHERE id >= ${since}::timestamptz`;

module.exports = { connect, eventsSince };

// sno with PostGraphile 5: an id is the scalar Sno, a string, and may stand in arrays,
// conditions and relations.  Without the plugin, PostGraphile leaves columns of ids out.
import { listOfCodec } from 'postgraphile/@dataplan/pg';
import { sql } from 'postgraphile/pg-sql2';

const sno = {
	name: 'sno',
	sqlType: sql`sno`,
	toPg: (text) => text,
	fromPg: (text) => text,
	executor: null,
	attributes: undefined,
};
const codecs = { sno, _sno: listOfCodec(sno) };

export const SnoPlugin = {
	name: 'SnoPlugin',
	gather: {
		hooks: {
			pgCodecs_findPgCodec(info, event) {
				event.pgCodec ??= codecs[event.pgType.typname];
			},
		},
	},
	schema: {
		hooks: {
			init(object, build) {
				build.registerScalarType('Sno', { pgCodec: sno }, () => ({ description: 'An id of 16 characters' }), 'SnoPlugin');
				build.setGraphQLTypeForPgCodec(sno, ['input', 'output'], 'Sno');
				return object;
			},
		},
	},
};

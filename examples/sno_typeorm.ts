// sno with TypeORM: an id is a string, an array of them an array of strings.
import { Column, type ColumnType, DataSource, Entity, JoinColumn, ManyToOne, PrimaryColumn, Raw } from 'typeorm';
import { registerSno } from './sno_pg';

const sno = 'sno' as ColumnType;

@Entity('event')
export class Event {
	@PrimaryColumn({ type: sno, default: () => 'sno_generate(3)' })
	id!: string;

	@Column({ type: 'text', nullable: true })
	payload!: string | null;
}

@Entity('note')
export class Note {
	@PrimaryColumn({ type: sno, default: () => 'sno_generate(4)' })
	id!: string;

	@Column({ type: sno, array: true, nullable: true })
	seen!: (string | null)[] | null;

	@ManyToOne(() => Event)
	@JoinColumn({ name: 'event_id' })
	event!: Event;
}

export async function connect(url: string): Promise<DataSource> {
	const source = new DataSource({ type: 'postgres', entities: [Event, Note], url, extra: { onConnect: registerSno } });
	source.driver.supportedDataTypes.push(sno); // otherwise it refuses the type
	return source.initialize();
}

// A Date is sent without its type
export const eventsSince = (source: DataSource, since: Date) => source.getRepository(Event)
	.findBy({ id: Raw((id) => `${id} >= :since::timestamptz`, { since }) });

# sqlalchemy_orm.py
#   sno with SQLAlchemy: a type of a few lines, in models that make the tables.
#
# test/systems/clients/run runs it.  Prints TAP.
import datetime
import warnings

import psycopg2
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg2.extensions import UNICODE, new_array_type, register_type
from sqlalchemy import TIMESTAMP, Column, ForeignKey, Text
from sqlalchemy import cast, create_engine, event, func, select, text
from sqlalchemy.orm import Session, declarative_base, relationship
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import UserDefinedType

from tap import TEXTS, TIME, finish, same

Base = declarative_base()


class Sno(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kw):
        return "sno"


ischema_names["sno"] = Sno  # for reflection


class Event(Base):
    __tablename__ = "event"
    id = Column(Sno, primary_key=True, server_default=text("sno_generate(3)"))
    payload = Column(Text)
    notes = relationship("Note", back_populates="event")


class Note(Base):
    __tablename__ = "note"
    id = Column(Sno, primary_key=True, server_default=text("sno_generate(4)"))
    event_id = Column(ForeignKey("event.id"), index=True)
    event = relationship("Event", back_populates="notes")
    seen = Column(ARRAY(Sno))


engine = create_engine("postgresql+psycopg2://", future=True)


@event.listens_for(engine, "connect")
def register_sno_array(connection, record):
    with connection.cursor() as cursor:
        cursor.execute("SELECT 'sno[]'::regtype::oid")
        oids = cursor.fetchone()
    register_type(new_array_type(oids, "sno[]", UNICODE), connection)


def made_by_the_server(session):
    payloads = [str(i) for i in range(10)]
    first = [Event(payload=payload) for payload in payloads]
    session.add_all(first)
    session.flush()
    ids = session.scalars(select(func.sno_generate_many(len(payloads), 3)))
    session.add_all([Event(id=id, payload=payload) for id, payload in zip(ids, payloads)])
    session.commit()
    rows = session.execute(select(Event.id, Event.payload).order_by(Event.id)).all()
    same(rows[:10], [(row.id, row.payload) for row in first],
         "flush brings the ids, each object has that of its row")
    same([row.payload for row in rows[10:]], payloads, "many with ids taken before")

    since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
    rows = session.scalars(select(Event).where(Event.id >= since)).all()
    before = session.scalars(select(Event).where(Event.id < since)).all()
    same((len(rows), len(before)), (20, 0), "a range of time")


def as_it_comes(session):
    session.add_all([Event(id=id, payload=id) for id in TEXTS])
    session.commit()
    rows = session.scalars(select(Event.id).where(Event.id.in_(TEXTS)).order_by(Event.id))
    same(rows.all(), TEXTS, "in_")
    at = cast(Event.id, TIMESTAMP(timezone=True))
    same(session.scalars(select(at).where(Event.id == TEXTS[1])).all(), [TIME], "the time of an id")
    try:
        session.get(Event, "9Q7JQM682EKS4222")
        sqlstate = None
    except sqlalchemy.exc.DataError as error:
        sqlstate = error.orig.pgcode
    session.rollback()
    same(sqlstate, "22P02", "a text that is no sno")


def related(session):
    row = Event(payload="with notes", notes=[Note(seen=[]), Note(seen=[TEXTS[0], None])])
    session.add(row)
    session.commit()
    same(sorted(note.seen for note in row.notes), [[], [TEXTS[0], None]],
         "the foreign key is filled in, with arrays and a NULL in them")
    got = session.scalars(select(Note.event_id).where(Note.seen.any(TEXTS[0]))).all()
    same(got, [row.id], "in an array")
    got = session.scalars(select(Note.event_id).where(Note.seen.contains([TEXTS[0]]))).all()
    same(got, [row.id], "an array in a comparison")


def reflected():
    with warnings.catch_warnings(), engine.connect() as conn:
        warnings.simplefilter("error")
        column = sqlalchemy.inspect(conn).get_columns("event")[0]
        same(type(column["type"]), Sno, "reflection knows the type")
        context = MigrationContext.configure(
            conn, opts={"compare_type": True, "compare_server_default": True})
        same(compare_metadata(context, Base.metadata), [], "Alembic sees no difference")


print(f"# SQLAlchemy {sqlalchemy.__version__}, psycopg2 {psycopg2.__version__}")
with engine.begin() as conn:
    conn.execute(text("DROP TABLE event"))
    Base.metadata.create_all(conn)
with Session(engine, future=True) as session:
    made_by_the_server(session)
    as_it_comes(session)
    related(session)
reflected()
finish()

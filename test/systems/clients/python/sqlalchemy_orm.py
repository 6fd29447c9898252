# sqlalchemy_orm.py
#   sno with SQLAlchemy: the type and the models of examples/sno_sqlalchemy.py, with each
#   driver, and what Alembic makes of them.
#
# test/systems/clients/run runs it.
import asyncio
import warnings

import alembic
import sqlalchemy
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import TIMESTAMP, cast, create_engine, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession, create_async_engine
from sqlalchemy.orm import Session

from sno_sqlalchemy import Base, Event, Note, Sno, register_sno_arrays
from tap import TEXTS, TIME, hour_ago, same

DRIVERS = ["psycopg2", "asyncpg"]
if sqlalchemy.__version__ >= "2":
    DRIVERS += ["psycopg", "psycopg_async"]


def made_by_the_server(session, driver):
    events = [Event(payload=str(i)) for i in range(10)]
    session.add_all(events)
    session.commit()
    rows = session.execute(select(Event.id, Event.payload).order_by(Event.id)).all()
    same(rows, [(event.id, event.payload) for event in events],
         f"{driver}: flush brings the ids, each object has that of its row")
    since = cast(hour_ago(), TIMESTAMP(timezone=True))
    found = [session.scalar(select(func.count()).where(when)) for when in [Event.id >= since, Event.id < since]]
    same(found, [10, 0], f"{driver}: a range of time")


def related(session, driver):
    row = Event(id=TEXTS[1], notes=[Note(seen=[]), Note(seen=[TEXTS[0], None])])
    session.add(row)
    session.commit()
    same(sorted(note.seen for note in row.notes), [[], [TEXTS[0], None]],
         f"{driver}: the foreign key is filled in, with arrays and a NULL in them")
    got = session.execute(select(Event.id, cast(Event.id, TIMESTAMP(timezone=True)).label("at")).join(Note)
                          .where(Note.seen.any(TEXTS[0]), Note.seen.contains([TEXTS[0]]), Event.id.in_(TEXTS))).all()
    same(got, [(row.id, TIME)], f"{driver}: in an array, an array in a comparison, in_, and the time of an id")


def everything(session, driver):
    session.execute(text("DROP TABLE IF EXISTS reader, note, event"))
    Base.metadata.create_all(session.connection())
    session.commit()
    made_by_the_server(session, driver)
    related(session, driver)


async def asynchronous(driver):
    engine = create_async_engine(f"postgresql+{driver}://")
    register_sno_arrays(engine.sync_engine)
    async with AsyncSession(engine, expire_on_commit=False) as session:
        await session.run_sync(everything, driver)
    await engine.dispose()


def reflected(engine):
    with warnings.catch_warnings(), engine.connect() as conn:
        warnings.simplefilter("error")
        column = sqlalchemy.inspect(conn).get_columns("event")[0]
        same(type(column["type"]), Sno, "reflection knows the type")
        context = MigrationContext.configure(
            conn, opts={"compare_type": True, "compare_server_default": True})
        same(compare_metadata(context, Base.metadata), [], "Alembic sees no difference")


print(f"# SQLAlchemy {sqlalchemy.__version__} with {', '.join(DRIVERS)}; Alembic {alembic.__version__}")
for driver in DRIVERS:
    if driver in ["asyncpg", "psycopg_async"]:
        asyncio.run(asynchronous(driver))
        continue
    engine = create_engine(f"postgresql+{driver}://", future=True)
    register_sno_arrays(engine)
    with Session(engine, future=True) as session:
        everything(session, driver)
    reflected(engine)

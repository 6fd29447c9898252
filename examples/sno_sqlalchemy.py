"""sno with SQLAlchemy: an id is a str, and an array a list of them, with each driver."""
from sqlalchemy import Column, ForeignKey, Text, event, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.orm import declarative_base, relationship
from sqlalchemy.types import UserDefinedType

Base = declarative_base()


class Sno(UserDefinedType):
    cache_ok = True

    def get_col_spec(self, **kw):
        return "sno"


ischema_names["sno"] = Sno  # for reflection, and Alembic


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


def register_sno_arrays(engine):
    """For an Engine, or the sync_engine of an AsyncEngine; asyncpg needs none.

    Without effect on a connection from before CREATE EXTENSION sno.
    """
    @event.listens_for(engine, "connect")
    def connected(connection, record):
        if engine.driver == "psycopg2":
            from psycopg2.extensions import UNICODE, new_array_type, register_type
            with connection.cursor() as cursor:
                cursor.execute("SELECT to_regtype('sno[]')::oid")
                oids = cursor.fetchone()
                if oids != (None,):
                    register_type(new_array_type(oids, "sno[]", UNICODE), connection)
        elif engine.driver == "psycopg":
            from psycopg.types import TypeInfo
            if engine.dialect.is_async:
                info = connection.run_async(lambda conn: TypeInfo.fetch(conn, "sno"))
                connection = connection.driver_connection
            else:
                info = TypeInfo.fetch(connection, "sno")
            if info is not None:
                info.register(connection)

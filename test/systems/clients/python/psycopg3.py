# psycopg3.py
#   sno with psycopg 3: as it comes, and with a class of its own.
#
# test/systems/clients/run runs it.  Prints TAP.
import base64
import datetime

import psycopg
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format
from psycopg.types import TypeInfo

from tap import BYTES, TEXTS, TIME, finish, same


class Sno:
    BASE32 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    OURS = b"23456789abcdefghijklmnopqrstuvwx"

    def __init__(self, value):
        """From ten bytes, or from sixteen characters"""
        if isinstance(value, str):
            table = bytes.maketrans(self.OURS, self.BASE32)
            self.bytes = base64.b32decode(value.encode().translate(table))
            if str(self) != value:
                raise ValueError(f"no sno: {value!r}")
        else:
            self.bytes = bytes(value)

    def __str__(self):
        table = bytes.maketrans(self.BASE32, self.OURS)
        return base64.b32encode(self.bytes).translate(table).decode()

    def __eq__(self, other):
        return isinstance(other, Sno) and self.bytes == other.bytes

    def __hash__(self):
        return hash(self.bytes)


class SnoLoader(Loader):
    def load(self, data):
        return Sno(bytes(data).decode())


class SnoBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        return Sno(data)


def register_sno(conn):
    info = TypeInfo.fetch(conn, "sno")

    class SnoDumper(Dumper):
        oid = info.oid

        def dump(self, sno):
            return str(sno).encode()

    class SnoBinaryDumper(SnoDumper):
        format = Format.BINARY

        def dump(self, sno):
            return sno.bytes

    info.register(conn)  # sno[], and the name for COPY
    conn.adapters.register_loader("sno", SnoLoader)
    conn.adapters.register_loader("sno", SnoBinaryLoader)
    conn.adapters.register_dumper(Sno, SnoDumper)
    conn.adapters.register_dumper(Sno, SnoBinaryDumper)  # the last one serves %s


def as_it_comes(conn):
    for text in TEXTS:
        conn.execute("INSERT INTO event (id, payload) VALUES (%s, %s)", [text, text])
    rows = conn.execute("SELECT id, id::bytea AS bytes FROM event ORDER BY id").fetchall()
    same(rows, list(zip(TEXTS, BYTES)), "str as parameter and as result")

    rows = conn.execute(
        "SELECT payload FROM event WHERE id = ANY (%s) ORDER BY id", [TEXTS[:2]]
    ).fetchall()
    same(rows, [(TEXTS[0],), (TEXTS[1],)], "a list of str as an array")
    array = conn.execute("SELECT array_agg(id ORDER BY id) FROM event").fetchone()
    same(array, ("{%s}" % ",".join(TEXTS),), "an array comes as one string")

    conn.execute("TRUNCATE event")
    for data in BYTES:
        conn.execute("INSERT INTO event (id) VALUES (%s)", [data])
    with conn.cursor(binary=True) as cur:
        rows = cur.execute("SELECT id FROM event ORDER BY id").fetchall()
    same([row[0] for row in rows], BYTES, "bytes as parameter, and as a binary result")
    row = conn.execute("SELECT id FROM event WHERE id = %s::sno", [BYTES[1]]).fetchone()
    same(row, (TEXTS[1],), "bytes in a comparison, with a cast")
    try:
        conn.execute("SELECT FROM event WHERE id = %s", [BYTES[1]])
        sqlstate = None
    except psycopg.Error as error:
        sqlstate = error.sqlstate
    same(sqlstate, "42883", "bytes in a comparison, without a cast")


def default_and_time(conn):
    conn.execute("TRUNCATE event")
    row = conn.execute(
        "INSERT INTO event (payload) VALUES (%s) RETURNING id", ["hello"]
    ).fetchone()
    since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
    rows = conn.execute("SELECT id FROM event WHERE id >= %s", [since]).fetchall()
    same(rows, [row], "a generated id, and a datetime without a cast")
    conn.execute("SET TimeZone = 'Asia/Kolkata'")
    naive = TIME.replace(tzinfo=None) + datetime.timedelta(hours=5.5)
    tick = datetime.timedelta(milliseconds=4)
    row = conn.execute("SELECT id >= %s AND id < %s FROM (SELECT %s::sno AS id) AS of",
                       [naive, naive + tick, TEXTS[1]]).fetchone()
    same(row, (True,), "a datetime without a time zone is in that of the session")


def with_class(conn):
    snos = [Sno(data) for data in BYTES]

    for send in ["%t", "%b", "%s"]:
        conn.execute("TRUNCATE event")
        with conn.cursor() as cur:
            cur.executemany(
                f"INSERT INTO event (id, payload) VALUES ({send}, {send}::sno)",
                [(sno, sno) for sno in snos],
            )
        rows = conn.execute(
            "SELECT id::bytea, payload FROM event ORDER BY event.id"
        ).fetchall()
        same(rows, list(zip(BYTES, TEXTS)), f"executemany, {send}")
        for binary in [False, True]:
            form = "binary" if binary else "text"
            cur = conn.cursor(binary=binary)
            rows = cur.execute(
                f"SELECT id FROM event WHERE id = {send}", [snos[2]], prepare=True
            ).fetchall()
            same(rows, [(snos[2],)], f"a prepared comparison, {send}, {form}")
            array = [snos[2], None, snos[0], snos[1]]
            row = cur.execute(f"SELECT {send}", [array]).fetchone()
            same(row, (array,), f"an array with a NULL, {send}, {form}")


def copy(conn):
    snos = [Sno(data) for data in BYTES]
    rows = [(sno, str(sno)) for sno in snos]

    conn.execute("TRUNCATE event")
    with conn.cursor() as cur:
        with cur.copy("COPY event (id, payload) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["sno", "text"])
            for sno, payload in rows:
                copy.write_row((sno, payload))
    same(
        conn.execute("SELECT id::bytea, payload FROM event ORDER BY id").fetchall(),
        list(zip(BYTES, TEXTS)), "binary COPY in",
    )
    with conn.cursor() as cur:
        with cur.copy("COPY (SELECT * FROM event ORDER BY id) TO STDOUT (FORMAT BINARY)") as copy:
            copy.set_types(["sno", "text"])
            got = list(copy.rows())
    same(got, rows, "binary COPY out")


print(f"# psycopg {psycopg.__version__}, {psycopg.pq.__impl__}")
with psycopg.connect(autocommit=True) as conn:
    as_it_comes(conn)
    default_and_time(conn)
    register_sno(conn)
    with_class(conn)
    copy(conn)
finish()

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

from tap import BYTES, TEXTS, TIME, finish, ok, same


def refused(conn, sqlstate, what, query, *args, **options):
    """The error has this SQLSTATE, and the connection lives on"""
    try:
        with conn.transaction():
            conn.execute(query, *args, **options)
        got = None
    except psycopg.Error as error:
        got = error.sqlstate
    same((got, conn.execute("SELECT 1").fetchone()), (sqlstate, (1,)), what)


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
    array = conn.execute("SELECT array_agg(id::text ORDER BY id) FROM event").fetchone()
    same(array, (TEXTS,), "an array through text[]")
    array = conn.execute("SELECT array_agg(id ORDER BY id) FROM event").fetchone()
    same(array, ("{%s}" % ",".join(TEXTS),), "an array comes as one string")

    conn.execute("DELETE FROM event")
    for data in BYTES:
        conn.execute("INSERT INTO event (id, payload) VALUES (%s, %b)", [data, "x"])
    rows = conn.execute("SELECT id::bytea FROM event ORDER BY id").fetchall()
    same([row[0] for row in rows], BYTES, "bytes as parameter, read through bytea")
    with conn.cursor(binary=True) as cur:
        rows = cur.execute("SELECT id FROM event ORDER BY id").fetchall()
    same([row[0] for row in rows], BYTES, "a binary result is ten bytes")
    row = conn.execute(
        "SELECT payload FROM event WHERE id = %s::sno", [BYTES[1]]
    ).fetchone()
    same(row, ("x",), "bytes in a comparison, with a cast")
    refused(conn, "42883", "bytes in a comparison, without a cast",
            "SELECT FROM event WHERE id = %s", [BYTES[1]])

    for order, found in [("id", False), ("event.id", True)]:
        with conn.transaction():
            conn.execute("SET LOCAL enable_seqscan = off")
            plan = conn.execute(
                f"EXPLAIN SELECT id::bytea FROM event ORDER BY {order}"
            ).fetchall()
        same("Sort" not in str(plan), found, f"id::bytea by {order}: is it the index's order?")

    refused(conn, "22P02", "a text that is no sno",
            "INSERT INTO event (id) VALUES (%s)", ["9Q7JQM682EKS4222"])
    refused(conn, "22P03", "bytes that are no sno, as bytea",
            "INSERT INTO event (id) VALUES (%s)", [b"123456789"])


def default_and_time(conn):
    conn.execute("DELETE FROM event")
    row = conn.execute(
        "INSERT INTO event (payload) VALUES (%s) RETURNING id", ["hello"]
    ).fetchone()
    generated = row[0]
    since = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=1)
    rows = conn.execute(
        "SELECT id, payload FROM event WHERE id >= %s::timestamptz", [since]
    ).fetchall()
    same(rows, [(generated, "hello")], "a generated id, and a range of time")
    row = conn.execute(
        "SELECT sno_meta(%s::sno), count(*) FROM event WHERE id < %s",
        [str(generated), since],
    ).fetchone()
    same(row, (3, 0), "a datetime without a cast")
    naive = datetime.datetime.now() - datetime.timedelta(days=2)
    row = conn.execute("SELECT count(*) FROM event WHERE id >= %s", [naive]).fetchone()
    same(row, (1,), "a datetime without a time zone")
    conn.execute("INSERT INTO event (id) VALUES (%s)", [TEXTS[1]])
    row = conn.execute(
        "SELECT id::timestamptz FROM event WHERE id <@ tstzrange(%s, %s)",
        [TIME, TIME + datetime.timedelta(milliseconds=4)],
    ).fetchone()
    same(row, (TIME,), "the time of an id, in a tstzrange")


def with_class(conn):
    snos = [Sno(data) for data in BYTES]
    same([str(sno) for sno in snos], TEXTS, "the class: bytes to text")
    same([Sno(text) for text in TEXTS], snos, "the class: text to bytes")

    for send in ["%t", "%b", "%s"]:
        conn.execute("DELETE FROM event")
        with conn.cursor() as cur:
            cur.executemany(
                f"INSERT INTO event (id, payload) VALUES ({send}, {send}::sno)",
                [(sno, sno) for sno in snos],
            )
        rows = conn.execute(
            "SELECT id::bytea, payload FROM event ORDER BY id"
        ).fetchall()
        same(rows, list(zip(BYTES, TEXTS)), f"executemany, {send}")
        for binary in [False, True]:
            form = "binary" if binary else "text"
            cur = conn.cursor(binary=binary)
            rows = cur.execute("SELECT id FROM event ORDER BY id").fetchall()
            same(rows, [(sno,) for sno in snos], f"rows as {form} ({send})")
            rows = cur.execute(
                f"SELECT id FROM event WHERE id = {send}", [snos[2]], prepare=True
            ).fetchall()
            same(rows, [(snos[2],)], f"a prepared comparison, {send}, {form}")
            array = [snos[2], None, snos[0], snos[1]]
            row = cur.execute(f"SELECT {send}", [array]).fetchone()
            same(row, (array,), f"an array with a NULL, {send}, {form}")
            row = cur.execute(
                f"SELECT count(*) FROM event WHERE id = ANY ({send})", [snos[:2]]
            ).fetchone()
            same(row, (2,), f"= ANY, {send}, {form}")
            row = cur.execute(
                f"SELECT {send}::sno, NULL::sno, {send}::sno[]", [None, []]
            ).fetchone()
            same(row, (None, None, []), f"NULL and no elements, {send}, {form}")

    (generated,) = conn.execute(
        "INSERT INTO event (payload) VALUES ('x') RETURNING id"
    ).fetchone()
    ok(isinstance(generated, Sno), "a generated id is of the class")

    refused(conn, "22P03", "nine bytes", "SELECT %b", [Sno(b"123456789")])


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

"""sno with psycopg 3: ids arrive as Sno, in text and in binary, in arrays and in COPY.

    register_sno(conn, TypeInfo.fetch(conn, "sno"))         # or await TypeInfo.fetch(…)
"""
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

from sno import Sno


class SnoLoader(Loader):
    def load(self, data):
        return Sno(bytes(data).decode())


class SnoBinaryLoader(Loader):
    format = Format.BINARY

    def load(self, data):
        return Sno.from_bytes(data)


def register_sno(conn, info):
    class SnoDumper(Dumper):
        oid = info.oid

        def dump(self, sno):
            return sno.encode()

    class SnoBinaryDumper(SnoDumper):
        format = Format.BINARY

        def dump(self, sno):
            return bytes(sno)

    info.register(conn)  # arrays, and the name for COPY
    conn.adapters.register_loader("sno", SnoLoader)
    conn.adapters.register_loader("sno", SnoBinaryLoader)
    conn.adapters.register_dumper(Sno, SnoDumper)
    conn.adapters.register_dumper(Sno, SnoBinaryDumper)  # the last one serves %s


def copy_in(conn, rows):
    with conn.cursor() as cur:
        with cur.copy("COPY event (id, payload) FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["sno", "text"])
            for row in rows:
                copy.write_row(row)

"""sno with asyncpg: ids and arrays of them arrive as Sno, and copy_records_to_table works.

    pool = await asyncpg.create_pool(init=register_sno)
"""
from sno import Sno


async def register_sno(conn):
    schema = await conn.fetchval(
        "SELECT nspname FROM pg_type AS t JOIN pg_namespace AS n ON n.oid = typnamespace"
        " WHERE t.oid = 'sno'::regtype")
    await conn.set_type_codec(
        "sno", schema=schema, format="binary",
        encoder=lambda text: bytes(Sno(text)), decoder=Sno.from_bytes)

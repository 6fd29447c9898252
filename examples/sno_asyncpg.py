"""sno with asyncpg: ids and arrays of them arrive as Sno, and copy_records_to_table works.

    pool = await asyncpg.create_pool(init=register_sno)
"""
from sno import Sno


async def register_sno(conn):
    await conn.set_type_codec(
        "sno", schema="pg_catalog", format="binary",
        encoder=lambda text: bytes(Sno(text)), decoder=Sno.from_bytes)

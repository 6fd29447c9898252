// Reads every new row of the table event once, as doc/reading-new-rows.md says.
//
// node-postgres: await poll(await pool.connect(), "mailer", console.log)
const NEXT = "SELECT next_0::text, next_1::text FROM reader WHERE name = $1 FOR UPDATE";
const BOUNDS = "SELECT resolved_0::text, resolved_1::text FROM sno_resolved_both()";
const ROWS = `
    SELECT id::text, kind FROM event WHERE id >= $1::sno AND id < $2::sno AND NOT sno_tick_tock(id)
    UNION ALL
    SELECT id::text, kind FROM event WHERE id >= $3::sno AND id < $4::sno AND sno_tick_tock(id)
    ORDER BY id`;
const DONE = "UPDATE reader SET next_0 = $1::sno, next_1 = $2::sno WHERE name = $3";

// Passes each new row to handle.  If that fails, they are read again.
async function poll(client, reader, handle) {
  await client.query("BEGIN");
  try {
    const { rows: [next] } = await client.query(NEXT, [reader]);
    // Separately, before the statement that reads
    const { rows: [bound] } = await client.query(BOUNDS);
    if (next.next_0 > bound.resolved_0 || next.next_1 > bound.resolved_1)
      throw new Error("the server has lost ids that this reader has read");
    const { rows } = await client.query(ROWS, [next.next_0, bound.resolved_0, next.next_1, bound.resolved_1]);
    for (const row of rows) await handle(row);
    await client.query(DONE, [bound.resolved_0, bound.resolved_1, reader]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

module.exports = { poll };

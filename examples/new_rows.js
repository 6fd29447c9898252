// Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.
//
// node-postgres: await poll(await pool.connect(), "mailer", console.log)
const MOVE = "UPDATE reader SET since = upto, upto = sno_resolved(upto) WHERE name = $1";
const ROWS = `
    SELECT event.id::text, event.kind FROM reader JOIN event ON event.id > reader.since AND event.id <= reader.upto
    WHERE reader.name = $1 ORDER BY event.id`;

// Passes each new row to handle.  If that fails, they are read again.
async function poll(client, reader, handle) {
  await client.query("BEGIN");
  try {
    // Two statements: the second one sees all rows up to the bound
    const { rowCount } = await client.query(MOVE, [reader]);
    if (rowCount !== 1) throw new Error(`there is no reader ${reader}`);
    const { rows } = await client.query(ROWS, [reader]);
    for (const row of rows) await handle(row);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

module.exports = { poll };

// Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.
//
// node-postgres: await poll(await pool.connect(), "mailer", console.log)
const BOUND = "UPDATE reader SET upto = sno_resolved(upto) WHERE name = $1";
const ROWS = `
    SELECT id::text, kind FROM event
    WHERE id > (SELECT since FROM reader WHERE name = $1) AND id <= (SELECT upto FROM reader WHERE name = $1)
    ORDER BY id LIMIT 1000`;
const CURSOR = "UPDATE reader SET since = $2::sno WHERE name = $1";

// Passes each new row to handle.  If that fails, they are read again.
async function poll(client, reader, handle) {
  await client.query("BEGIN");
  try {
    // Two statements: the second one sees all rows up to the bound
    const { rowCount } = await client.query(BOUND, [reader]);
    if (rowCount !== 1) throw new Error(`there is no reader ${reader}`);
    const { rows } = await client.query(ROWS, [reader]);
    for (const row of rows) await handle(row);
    if (rows.length > 0) await client.query(CURSOR, [reader, rows[rows.length - 1].id]);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

module.exports = { poll };

// Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.BiConsumer;

public class NewRows {
	static final String MOVE = "UPDATE reader SET since = upto, upto = sno_resolved(upto) WHERE name = ?";
	static final String ROWS = """
		SELECT event.id::text, event.kind FROM reader JOIN event ON event.id > reader.since AND event.id <= reader.upto
		WHERE reader.name = ? ORDER BY event.id""";

	// Passes each new row to handle.  If that fails, they are read again.
	public static void poll(Connection conn, String reader, BiConsumer<String, String> handle) throws SQLException {
		conn.setAutoCommit(false);
		// Two statements: the second one sees all rows up to the bound
		try (PreparedStatement move = conn.prepareStatement(MOVE); PreparedStatement select = conn.prepareStatement(ROWS)) {
			move.setString(1, reader);
			if (move.executeUpdate() != 1) {
				throw new SQLException("there is no reader " + reader, "02000");
			}
			select.setString(1, reader);
			try (ResultSet rows = select.executeQuery()) {
				while (rows.next()) {
					handle.accept(rows.getString(1), rows.getString(2));
				}
			}
			conn.commit();
		} finally {
			// Of what is not committed
			conn.rollback();
			conn.setAutoCommit(true);
		}
	}
}

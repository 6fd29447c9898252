// Reads every new row of the table event once, in order, as doc/reading-new-rows.md says.
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.BiConsumer;

public class NewRows {
	static final String BOUND = "UPDATE reader SET upto = sno_resolved(upto) WHERE name = ?";
	static final String ROWS = """
		SELECT id::text, kind FROM event
		WHERE id > (SELECT since FROM reader WHERE name = ?) AND id <= (SELECT upto FROM reader WHERE name = ?)
		ORDER BY id LIMIT 1000""";
	static final String CURSOR = "UPDATE reader SET since = ?::sno WHERE name = ?";

	// Passes each new row to handle.  If that fails, they are read again.
	public static void poll(Connection conn, String reader, BiConsumer<String, String> handle) throws SQLException {
		conn.setAutoCommit(false);
		// Two statements: the second one sees all rows up to the bound
		try (PreparedStatement bound = conn.prepareStatement(BOUND); PreparedStatement select = conn.prepareStatement(ROWS);
			PreparedStatement move = conn.prepareStatement(CURSOR)) {
			bound.setString(1, reader);
			if (bound.executeUpdate() != 1) {
				throw new SQLException("there is no reader " + reader, "02000");
			}
			select.setString(1, reader);
			select.setString(2, reader);
			move.setString(2, reader);
			String last = null;
			try (ResultSet rows = select.executeQuery()) {
				while (rows.next()) {
					last = rows.getString(1);
					handle.accept(last, rows.getString(2));
				}
			}
			if (last != null) {
				move.setString(1, last);
				move.executeUpdate();
			}
			conn.commit();
		} finally {
			// Of what is not committed
			conn.rollback();
			conn.setAutoCommit(true);
		}
	}
}

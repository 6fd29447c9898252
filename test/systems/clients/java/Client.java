/*
 * Client.java
 *		sno with JDBC: as it comes, and with a class of its own.
 *
 * test/systems/clients/run runs it.
 */
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiConsumer;

import org.postgresql.PGConnection;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.util.PGobject;

public class Client {
	static final String[] TEXTS = {"2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"};
	static final String[] HEX = {"00000000000000000000", "3e0b1c50860325a10000", "ffffffffffffffffffff"};

	static void same(Object got, Object expected, String what) {
		if (!expected.equals(got)) {
			throw new AssertionError(what + ": " + got + ", not " + expected);
		}
		System.out.println("ok - " + what);
	}

	static void refused(Connection conn, String sqlstate, String what, String query, Object parameter) {
		try {
			column(conn, query, parameter);
			throw new AssertionError(what + ": no error");
		} catch (SQLException e) {
			same(e.getSQLState(), sqlstate, what);
		}
	}

	// The first column of a query, as strings
	static List<String> column(Connection conn, String query, Object... parameters) throws SQLException {
		List<String> found = new ArrayList<>();
		try (PreparedStatement statement = conn.prepareStatement(query)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
			ResultSet rows = statement.executeQuery();
			while (rows.next()) {
				found.add(rows.getString(1));
			}
		}
		return found;
	}

	static Connection connect(String option) throws SQLException {
		return DriverManager.getConnection("jdbc:postgresql://localhost:" + System.getenv("PGPORT")
			+ "/" + System.getenv("PGDATABASE") + "?" + option,
			System.getenv("PGUSER"), System.getenv("PGPASSWORD"));
	}

	// By setObject, which is setString for a String, and setBytes for bytes
	static void inserts(Connection conn, String what, Object... ids) throws SQLException {
		conn.createStatement().execute("TRUNCATE event");
		try (PreparedStatement insert = conn.prepareStatement("INSERT INTO event (id, payload) VALUES (?, ?)")) {
			for (int i = 0; i < TEXTS.length; i++) {
				insert.setObject(1, ids[i]);
				insert.setString(2, TEXTS[i]);
				insert.addBatch();
			}
			insert.executeBatch();
		}
		same(column(conn, "SELECT id FROM event WHERE id::text = payload ORDER BY id"), List.of(TEXTS),
			what + " to insert, getString");
	}

	static void asItComes(Connection conn) throws SQLException {
		inserts(conn, "setString", (Object[]) TEXTS);
		inserts(conn, "setBytes", Arrays.stream(HEX).map(HexFormat.of()::parseHex).toArray());

		refused(conn, "42883", "setString to compare with, without a cast",
			"SELECT id FROM event WHERE id = ?", TEXTS[1]);
		same(column(conn, "SELECT id FROM event WHERE id IN (?::sno, ?::sno) ORDER BY id",
			TEXTS[1], HexFormat.of().parseHex(HEX[2])), List.of(TEXTS[1], TEXTS[2]),
			"setString and setBytes to compare with, and a cast");
		same(column(conn, "SELECT id FROM event WHERE id = ANY (?) ORDER BY id",
			conn.createArrayOf("sno", new String[] {TEXTS[0], TEXTS[2], null})), List.of(TEXTS[0], TEXTS[2]),
			"an array to compare with");
		try (PreparedStatement select = conn.prepareStatement("SELECT payload FROM event WHERE id = ?")) {
			select.setObject(1, TEXTS[0], Types.OTHER);
			same(select.executeQuery().next(), true, "setObject(Types.OTHER) to compare with");
		}
		try (Statement select = conn.createStatement();
			ResultSet rows = select.executeQuery("SELECT id, ARRAY[id, NULL], id::bytea FROM event ORDER BY 1 DESC")) {
			rows.next();
			PGobject id = (PGobject) rows.getObject(1);
			same(id.getType() + " " + id.getValue(), "sno " + TEXTS[2], "getObject is a PGobject");
			Object[] ids = (Object[]) rows.getArray(2).getArray();
			same(Arrays.asList(ids), Arrays.asList(id, null), "getArray has PGobjects");
			same(HexFormat.of().formatHex(rows.getBytes(3)), HEX[2], "getBytes of id::bytea");
		}
	}

	static void defaultAndTime(Connection conn) throws SQLException {
		OffsetDateTime since = OffsetDateTime.now().minusHours(1);
		String id;

		conn.createStatement().execute("TRUNCATE event");
		try (PreparedStatement insert = conn.prepareStatement(
				"INSERT INTO event (payload) VALUES (?)", new String[] {"id"})) {
			insert.setString(1, "hello");
			insert.executeUpdate();
			try (ResultSet keys = insert.getGeneratedKeys()) {
				keys.next();
				id = keys.getString(1);
			}
		}
		same(column(conn, "SELECT id FROM event WHERE id >= ?", since), List.of(id),
			"a generated key, and an OffsetDateTime");
		refused(conn, "22P02", "setTimestamp needs a cast", "SELECT id FROM event WHERE id >= ?", Timestamp.from(since.toInstant()));
	}

	// A result comes as text until the driver has prepared the statement on the server
	static void withClass(Connection conn) throws SQLException {
		List<Sno> sent = new ArrayList<>();
		List<Sno> found = new ArrayList<>();
		StringBuilder formats = new StringBuilder();

		conn.unwrap(PGConnection.class).addDataType("sno", Sno.class);
		inserts(conn, "the class", new Sno(TEXTS[0]), new Sno(TEXTS[1]), new Sno(TEXTS[2]));
		try (PreparedStatement select = conn.prepareStatement("SELECT id, payload FROM event WHERE id = ?")) {
			for (int i = 0; i < 9; i++) {
				sent.add(new Sno(TEXTS[i % 3]));
				select.setObject(1, sent.get(i));
				try (ResultSet rows = select.executeQuery()) {
					rows.next();
					found.add(rows.getObject(1, Sno.class));
					formats.append(((PGResultSetMetaData) rows.getMetaData()).getFormat(1));
				}
			}
		}
		same(found, sent, "the class to compare with, and getObject");
		found.sort(null);
		same(found.stream().distinct().toList().toString(), Arrays.toString(TEXTS),
			"the class sorts like ids, and prints their text");
		same(formats.toString().matches("000+111+"), true, "the class came as text, then in binary");
		for (String wrong : List.of("9Q7JQM682EKS4222", "9q7j", "")) {
			String refused = "";
			try {
				new Sno(wrong);
			} catch (SQLException e) {
				refused = e.getSQLState();
			}
			same(refused, "22P02", "the class refuses \"" + wrong + "\"");
		}
		// As text it would be all right
		refused(conn, "22P03", "the class is sent as bytes", "SELECT ?::sno", new Sno(TEXTS[0]) {
			@Override
			public int lengthInBytes() {
				return 11;
			}
		});
	}

	// Each row is read once, also one whose transaction commits late, and what could not be
	// handled is read again
	static void newRows() throws SQLException {
		List<String> seen = new ArrayList<>();
		BiConsumer<String, String> see = (id, kind) -> {
			seen.add(kind);
			if (seen.size() == 1) {
				throw new IllegalStateException();
			}
		};

		try (Connection reader = connect(""); Connection slow = connect("")) {
			reader.createStatement().execute("TRUNCATE event");
			slow.setAutoCommit(false);
			slow.createStatement().execute("INSERT INTO event (kind) VALUES ('late')");
			reader.createStatement().execute("INSERT INTO event (kind) VALUES ('early')");
			NewRows.poll(reader, "mailer", see);
			same(seen, List.of(), "nothing is read past a transaction that is open");
			slow.commit();
			int errors = 0;
			while (seen.size() < 3) {
				try {
					NewRows.poll(reader, "mailer", see);
				} catch (IllegalStateException e) {
					errors++;
				}
			}
			same(errors, 1, "what could not be handled is an error");
			same(seen, List.of("late", "late", "early"),
				"then all is, in the order of the ids; again, what could not be handled");
		}
	}

	public static void main(String[] args) throws Exception {
		try (Connection conn = connect("")) {
			System.out.println("# JDBC driver " + conn.getMetaData().getDriverVersion());
			asItComes(conn);
			defaultAndTime(conn);
			withClass(conn);
		}
		try (Connection conn = connect("stringtype=unspecified")) {
			same(column(conn, "SELECT id, payload FROM event WHERE id = ?", TEXTS[1]), List.of(TEXTS[1]),
				"stringtype=unspecified: setString to compare with");
		}
		newRows();
	}
}

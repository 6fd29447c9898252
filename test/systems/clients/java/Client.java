/*
 * Client.java
 *		sno with JDBC: as it comes, and with a class of its own.
 *
 * test/systems/clients/run runs it.  Prints TAP.
 */
import java.io.StringReader;
import java.io.StringWriter;
import java.math.BigInteger;
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
import java.util.Properties;

import org.postgresql.PGConnection;
import org.postgresql.PGResultSetMetaData;
import org.postgresql.copy.CopyManager;
import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

public class Client {
	static final String[] TEXTS = {"2222222222222222", "9q7jqm682eks4222", "xxxxxxxxxxxxxxxx"};
	static final byte[][] BYTES = {new byte[10], HexFormat.of().parseHex("3e0b1c50860325a10000"),
		HexFormat.of().parseHex("ffffffffffffffffffff")};

	static int count = 0;
	static boolean failed = false;

	interface Attempt {
		void run() throws Exception;
	}

	static void same(Object got, Object expected, String what) {
		boolean good = Arrays.deepEquals(new Object[] {got}, new Object[] {expected});

		count++;
		System.out.println((good ? "ok " : "not ok ") + count + " - " + what);
		if (!good) {
			failed = true;
			System.out.println("# got      " + Arrays.deepToString(new Object[] {got}));
			System.out.println("# expected " + Arrays.deepToString(new Object[] {expected}));
		}
	}

	// The error has this SQLSTATE, and the connection lives on
	static void refused(Connection conn, String sqlstate, String what, Attempt attempt) throws Exception {
		String got = null;

		try {
			attempt.run();
		} catch (SQLException e) {
			got = e.getSQLState();
		}
		same(got + " " + String.join(",", column(conn, "SELECT 'alive'")), sqlstate + " alive", what);
	}

	// The first column of a query, as strings
	static String[] column(Connection conn, String query, Object... parameters) throws SQLException {
		try (PreparedStatement statement = conn.prepareStatement(query)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
			return column(statement);
		}
	}

	static String[] column(PreparedStatement statement) throws SQLException {
		List<String> found = new ArrayList<>();
		try (ResultSet rows = statement.executeQuery()) {
			while (rows.next()) {
				found.add(rows.getString(1));
			}
		}
		return found.toArray(new String[0]);
	}

	static void execute(Connection conn, String query) throws SQLException {
		try (Statement statement = conn.createStatement()) {
			statement.execute(query);
		}
	}

	static Connection connect(String... options) throws SQLException {
		Properties properties = new Properties();
		properties.setProperty("user", System.getenv("PGUSER"));
		properties.setProperty("password", System.getenv("PGPASSWORD"));
		for (int i = 0; i < options.length; i += 2) {
			properties.setProperty(options[i], options[i + 1]);
		}
		return DriverManager.getConnection("jdbc:postgresql://localhost:" + System.getenv("PGPORT")
			+ "/" + System.getenv("PGDATABASE"), properties);
	}

	static void insertAll(Connection conn, String query, Setter setter) throws SQLException {
		execute(conn, "TRUNCATE event");
		try (PreparedStatement insert = conn.prepareStatement(query)) {
			for (int i = 0; i < TEXTS.length; i++) {
				setter.set(insert, i);
				insert.setString(2, TEXTS[i]);
				insert.addBatch();
			}
			insert.executeBatch();
		}
	}

	interface Setter {
		void set(PreparedStatement statement, int i) throws SQLException;
	}

	// The ids in the table, as far as they are what was sent
	static String[] stored(Connection conn) throws SQLException {
		return column(conn, "SELECT id FROM event WHERE id::text = payload ORDER BY id");
	}

	static void asItComes(Connection conn) throws Exception {
		String insert = "INSERT INTO event (id, payload) VALUES (?, ?)";
		insertAll(conn, insert, (statement, i) -> statement.setString(1, TEXTS[i]));
		same(stored(conn), TEXTS, "setString to insert, getString");
		insertAll(conn, insert, (statement, i) -> statement.setObject(1, TEXTS[i], Types.OTHER));
		same(stored(conn), TEXTS, "setObject(Types.OTHER) to insert");
		insertAll(conn, insert, (statement, i) -> statement.setBytes(1, BYTES[i]));
		same(stored(conn), TEXTS, "setBytes to insert");
		insertAll(conn, insert, (statement, i) -> {
			PGobject id = new PGobject();
			id.setType("sno");
			id.setValue(TEXTS[i]);
			statement.setObject(1, id);
		});
		same(stored(conn), TEXTS, "PGobject to insert");

		refused(conn, "42883", "setString to compare with, without a cast", () ->
			column(conn, "SELECT id FROM event WHERE id = ?", TEXTS[1]));
		same(column(conn, "SELECT id FROM event WHERE id = ?::sno", TEXTS[1]), new String[] {TEXTS[1]},
			"setString to compare with, and a cast");
		same(column(conn, "SELECT id FROM event WHERE id = ?::sno", BYTES[2]), new String[] {TEXTS[2]},
			"setBytes to compare with, and a cast");
		try (PreparedStatement select = conn.prepareStatement("SELECT id FROM event WHERE id = ?")) {
			// More often than the driver's prepareThreshold
			for (int i = 0; i < 9; i++) {
				String text = TEXTS[i % 3];
				select.setObject(1, text, Types.OTHER);
				same(column(select), new String[] {text}, "setObject(Types.OTHER) to compare with, " + i);
			}
		}

		try (Statement select = conn.createStatement();
			ResultSet rows = select.executeQuery("SELECT id, id::bytea, NULL::sno FROM event ORDER BY 1 DESC")) {
			rows.next();
			PGobject id = (PGobject) rows.getObject(1);
			same(id.getType() + " " + id.getValue(), "sno " + TEXTS[2], "getObject is a PGobject");
			same(rows.getBytes(2), BYTES[2], "getBytes of id::bytea");
			same(rows.getString(3), null, "NULL as a result");
		}
		try (PreparedStatement select = conn.prepareStatement("SELECT ?::sno")) {
			select.setNull(1, Types.OTHER);
			same(column(select), new String[] {null}, "NULL as a parameter");
		}

		arrays(conn);
		refused(conn, "22P02", "a text that is no sno", () ->
			column(conn, "SELECT ?::sno", "9Q7JQM682EKS4222"));
		refused(conn, "22P03", "nine bytes", () -> column(conn, "SELECT ?::sno", new byte[9]));
	}

	static void arrays(Connection conn) throws SQLException {
		try (PreparedStatement select = conn.prepareStatement("SELECT id FROM event WHERE id = ANY (?) ORDER BY id")) {
			select.setArray(1, conn.createArrayOf("sno", new String[] {TEXTS[0], TEXTS[2], null}));
			same(column(select), new String[] {TEXTS[0], TEXTS[2]}, "an array to compare with");
		}
		try (Statement select = conn.createStatement();
			ResultSet rows = select.executeQuery("SELECT array_agg(id::text ORDER BY id), array_agg(id ORDER BY id) FROM event")) {
			rows.next();
			same(rows.getArray(1).getArray(), TEXTS, "an array through text[]");
			Object[] ids = (Object[]) rows.getArray(2).getArray();
			same(Arrays.stream(ids).map(Object::toString).toArray(), TEXTS, "an array");
		}
	}

	static void unspecified() throws Exception {
		try (Connection conn = connect("stringtype", "unspecified")) {
			insertAll(conn, "INSERT INTO event (id, payload) VALUES (?, ?)",
				(statement, i) -> statement.setString(1, TEXTS[i]));
			same(stored(conn), TEXTS, "stringtype=unspecified: setString to insert");
			same(column(conn, "SELECT id FROM event WHERE id = ?", TEXTS[1]), new String[] {TEXTS[1]},
				"stringtype=unspecified: setString to compare with");
		}
	}

	static void rewritten() throws Exception {
		try (Connection conn = connect("reWriteBatchedInserts", "true")) {
			insertAll(conn, "INSERT INTO event (id, payload) VALUES (?, ?)",
				(statement, i) -> statement.setString(1, TEXTS[i]));
			same(stored(conn), TEXTS, "reWriteBatchedInserts=true: setString");
		}
	}

	static void defaultAndTime(Connection conn) throws Exception {
		OffsetDateTime since = OffsetDateTime.now().minusHours(1);
		String id;

		execute(conn, "TRUNCATE event");
		try (PreparedStatement insert = conn.prepareStatement(
				"INSERT INTO event (payload) VALUES (?)", new String[] {"id"})) {
			insert.setString(1, "hello");
			insert.executeUpdate();
			try (ResultSet keys = insert.getGeneratedKeys()) {
				keys.next();
				id = keys.getString(1);
			}
		}
		same(column(conn, "SELECT sno_meta(?::sno)", id), new String[] {"3"}, "a generated key");
		try (PreparedStatement select = conn.prepareStatement("SELECT id FROM event WHERE id >= ?::timestamptz")) {
			select.setObject(1, since);
			same(column(select), new String[] {id}, "a range of time");
			select.setTimestamp(1, Timestamp.from(since.toInstant()));
			same(column(select), new String[] {id}, "a range of time with setTimestamp");
		}
		same(column(conn, "SELECT id FROM event WHERE id < ?", since), new String[] {},
			"an OffsetDateTime needs no cast");
		refused(conn, "22P02", "setTimestamp needs one", () ->
			column(conn, "SELECT id FROM event WHERE id < ?", Timestamp.from(since.toInstant())));
		try (Statement select = conn.createStatement();
			ResultSet rows = select.executeQuery("SELECT id::timestamptz FROM event")) {
			rows.next();
			OffsetDateTime at = rows.getObject(1, OffsetDateTime.class);
			same(at.isAfter(since) && at.isBefore(since.plusHours(2)), true, "the time of an id");
		}
	}

	static void copy(Connection conn) throws Exception {
		CopyManager copy = conn.unwrap(PGConnection.class).getCopyAPI();
		StringBuilder lines = new StringBuilder();
		for (String id : TEXTS) {
			lines.append(id).append('\t').append(id).append('\n');
		}

		execute(conn, "TRUNCATE event");
		copy.copyIn("COPY event (id, payload) FROM STDIN", new StringReader(lines.toString()));
		same(stored(conn), TEXTS, "COPY in");
		StringWriter out = new StringWriter();
		copy.copyOut("COPY (SELECT * FROM event ORDER BY id) TO STDOUT", out);
		same(out.toString(), lines.toString(), "COPY out");
	}

	// An id as the driver's own kind of object, which it can send as ten bytes
	public static class Sno extends PGobject implements PGBinaryObject {
		static final String ALPHABET = "23456789abcdefghijklmnopqrstuvwx";

		public Sno() {
			setType("sno");
		}

		public Sno(String text) throws SQLException {
			this();
			setValue(text);
		}

		@Override
		public void setByteValue(byte[] value, int offset) throws SQLException {
			BigInteger id = new BigInteger(1, Arrays.copyOfRange(value, offset, offset + 10));
			StringBuilder text = new StringBuilder();
			for (int i = 15; i >= 0; i--) {
				text.append(ALPHABET.charAt(id.shiftRight(5 * i).intValue() & 31));
			}
			setValue(text.toString());
		}

		@Override
		public int lengthInBytes() {
			return value == null ? 0 : 10;
		}

		@Override
		public void toBytes(byte[] target, int offset) {
			BigInteger id = BigInteger.ZERO;
			for (char c : value.toCharArray()) {
				id = id.shiftLeft(5).or(BigInteger.valueOf(ALPHABET.indexOf(c)));
			}
			for (int i = 9; i >= 0; i--, id = id.shiftRight(8)) {
				target[offset + i] = id.byteValue();
			}
		}
	}

	// A result is binary once the statement is prepared: by default the fifth time,
	// with -1 the first
	static void withClass(String form, String... options) throws Exception {
		try (Connection conn = connect(options)) {
			conn.unwrap(PGConnection.class).addDataType("sno", Sno.class);
			insertAll(conn, "INSERT INTO event (id, payload) VALUES (?, ?)",
				(statement, i) -> statement.setObject(1, new Sno(TEXTS[i])));
			same(stored(conn), TEXTS, "a class, " + form + ": setObject to insert");
			try (PreparedStatement select = conn.prepareStatement("SELECT id, id::bytea FROM event WHERE id = ?")) {
				for (int i = 0; i < 9; i++) {
					select.setObject(1, new Sno(TEXTS[i % 3]));
					try (ResultSet rows = select.executeQuery()) {
						rows.next();
						same(new Object[] {rows.getObject(1, Sno.class), rows.getBytes(2)},
							new Object[] {new Sno(TEXTS[i % 3]), BYTES[i % 3]},
							"a class, " + form + ": setObject to compare with, getObject, " + i);
						if (i == 0) {
							same(((PGResultSetMetaData) rows.getMetaData()).getFormat(1),
								form.equals("binary") ? 1 : 0, "a class, " + form + ": how the result came");
						}
					}
				}
			}
			// As text it would be all right
			refused(conn, "22P03", "a class, " + form + ": a parameter is sent as bytes", () ->
				column(conn, "SELECT ?::sno", new Sno(TEXTS[0]) {
					@Override
					public int lengthInBytes() {
						return 9;
					}

					@Override
					public void toBytes(byte[] target, int offset) {
					}
				}));
		}
	}

	public static void main(String[] args) throws Exception {
		try (Connection conn = connect()) {
			System.out.println("# JDBC driver " + conn.getMetaData().getDriverVersion());
			asItComes(conn);
			defaultAndTime(conn);
			copy(conn);
		}
		unspecified();
		rewritten();
		withClass("text");
		withClass("binary", "prepareThreshold", "-1");
		System.out.println("1.." + count);
		System.exit(failed ? 1 : 0);
	}
}

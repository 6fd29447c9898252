// sno with JDBC: the 16 characters of an id, sent as its ten bytes.
import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Arrays;

import org.postgresql.util.PGBinaryObject;
import org.postgresql.util.PGobject;

public class Sno extends PGobject implements PGBinaryObject, Comparable<Sno> {
	static final String ALPHABET = "23456789abcdefghijklmnopqrstuvwx";

	public Sno() {
		setType("sno");
	}

	public Sno(String text) throws SQLException {
		this();
		setValue(text);
	}

	// The driver sends bytes, of which the server would take any ten
	@Override
	public void setValue(String text) throws SQLException {
		if (text != null && !text.matches("[2-9a-x]{16}")) {
			throw new SQLException("no sno: " + text, "22P02");
		}
		super.setValue(text);
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

	// As the server sorts them
	@Override
	public int compareTo(Sno other) {
		return getValue().compareTo(other.getValue());
	}
}

-- Uuids of version 7 that are made of an instant: the one with these random bits,
-- and the smallest one.
CREATE FUNCTION uuid_of(at timestamptz, bits text) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
	(lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(bits, 1, 3)
		|| '8' || substr(bits, 4, 15))::uuid;
CREATE FUNCTION uuid_from(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE RETURN
	uuid_of(at, '000000000000000000');

-- A sno in DuckDB: what its 16 characters hold.  They sort by time as they are.
CREATE MACRO bits_of_sno(id) AS
    CASE WHEN NOT regexp_full_match(id, '[2-9a-x]{16}') THEN error('no sno: ' || id)::HUGEINT
    ELSE list_reduce(list_transform(string_split(id, ''),
        lambda c: (instr('23456789abcdefghijklmnopqrstuvwx', c) - 1)::HUGEINT), lambda n, v: n * 32 + v) END;
CREATE MACRO sno_timestamp(id) AS
    TIMESTAMPTZ '2010-01-01 00:00:00+00' + to_milliseconds((bits_of_sno(id) // 2199023255552 * 4)::BIGINT);
CREATE MACRO sno_tick_tock(id) AS bits_of_sno(id) // 1099511627776 % 2;
CREATE MACRO sno_meta(id) AS bits_of_sno(id) // 4294967296 % 256;
CREATE MACRO sno_partition(id) AS bits_of_sno(id) // 65536 % 65536;
CREATE MACRO sno_sequence(id) AS bits_of_sno(id) % 65536;

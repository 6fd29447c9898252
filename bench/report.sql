-- report.sql
--	The page of the figures that the file :load loads; and the table "chart", what
--	there is to draw.  Run by bench/report.

-- NaN, which is greater than all others, is no figure
CREATE TABLE machine (major integer, key text NOT NULL, value text NOT NULL, n serial);
CREATE TABLE question (question text, major integer, about text);
CREATE TABLE figure (question text, major integer, round integer CHECK (round > 0), "case" text, rival text, measure text, value float8 NOT NULL CHECK (abs(value) < 'Infinity'));

-- The rival that the others are compared with
CREATE FUNCTION beside(question text) RETURNS text RETURN CASE question WHEN 'bulk' THEN 'ceiling' WHEN 'readers' THEN 'sno, in order' ELSE 'sno' END;

-- How many decimals show three significant digits, or four from 1,000 on.  From
-- 9.995 on, a value is rounded to 10.0, which has the next exponent.
CREATE FUNCTION decimals(value numeric) RETURNS integer RETURN
	CASE WHEN value = 0 THEN 0 ELSE
		(SELECT CASE WHEN exponent < 3 THEN 2 ELSE 3 END - exponent
		FROM (SELECT floor(log(abs(value) / 0.9995))::integer) AS v (exponent))
	END;
-- With commas between thousands
CREATE FUNCTION written(value numeric, decimals integer) RETURNS text RETURN
	to_char(round(value, decimals), 'FM999,999,999,990' || CASE WHEN decimals > 0 THEN '.' || repeat('0', decimals) ELSE '' END);

\i :load
ANALYZE;

-- A figure is missing if a rival has none in a round of a case: the error shows the
-- row.  What an older server is asked, a newer one is, too; but codecs are those of
-- a processor.
CREATE TABLE complete (question text, major integer, round integer, "case" text, measure text, rival text, value float8 NOT NULL);
INSERT INTO complete
	SELECT question, major, round, "case", measure, rival, value
	FROM (SELECT question, major, "case", measure, generate_series(1, max(round)) AS round FROM figure GROUP BY 1, 2, 3, 4) asked
		JOIN (SELECT DISTINCT question, major AS since, "case", rival FROM figure
			UNION SELECT question, major, "case", beside(question) FROM figure) r USING (question, "case")
		LEFT JOIN figure USING (question, major, round, "case", measure, rival)
	WHERE since = major OR since < major AND question <> 'codec'
	UNION ALL
	SELECT question, major, NULL, NULL, NULL, NULL, min(value) FROM question LEFT JOIN figure USING (question, major) GROUP BY 1, 2;

-- Ratios are computed within each round, where both rivals had the same conditions.
-- What is found can be no rows; another figure to compare with is not zero.
CREATE TABLE median AS
	SELECT question, major, "case", measure, rival, max(round) AS rounds,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY f.value)::numeric AS median,
		min(f.value)::numeric AS min, max(f.value)::numeric AS max,
		percentile_cont(0.5) WITHIN GROUP (ORDER BY f.value / CASE WHEN measure ~ '^rows|^processor us a row' THEN nullif(b.value, 0) ELSE b.value END)::numeric AS ratio,
		min(f.ctid) AS place
	FROM figure f JOIN (SELECT question, major, "case", measure, round, value FROM figure WHERE rival = beside(question)) b
		USING (question, major, "case", measure, round)
	GROUP BY 1, 2, 3, 4, 5;
ANALYZE median;

-- A table for each measure: a row a case, or a rival if there are more of these and
-- the cases are no numbers, which are in their order
CREATE TABLE grid AS
	SELECT question, major, measure, "case", rival, rounds, median, min, max, ratio, CASE WHEN measure ~ '^rows (missed|read)' THEN 0 ELSE decimals(median) END AS d, CASE WHEN turned THEN rival ELSE "case" END AS head, CASE WHEN turned THEN "case" ELSE rival END AS "column",
		CASE WHEN turned THEN r.place ELSE c.place END AS head_place, CASE WHEN turned THEN c.place ELSE r.place END AS column_place
	FROM (SELECT question, major, measure, count(DISTINCT rival) > count(DISTINCT "case") AND NOT bool_and("case" ~ '^[0-9]') AS turned FROM median GROUP BY 1, 2, 3) t
		JOIN (SELECT question, major, measure, "case", row_number() OVER (ORDER BY substring("case" FROM '^[0-9.]+')::numeric, min(place)) AS place FROM median GROUP BY 1, 2, 3, 4) c USING (question, major, measure)
		JOIN (SELECT question, major, measure, rival, row_number() OVER (ORDER BY rival !~ '^sno', rival) AS place FROM median GROUP BY 1, 2, 3, 4) r USING (question, major, measure)
		LEFT JOIN median m USING (question, major, measure, "case", rival);
CREATE TABLE line AS
	SELECT question, major, measure, head, min(head_place) AS n, max(rounds) AS rounds, count(*)::integer AS columns,
		string_agg("column", ' | ' ORDER BY column_place) AS names,
		string_agg("column", E'"\t"' ORDER BY column_place) AS chart_names,
		string_agg(coalesce(median::text, '?'), E'\t' ORDER BY column_place) AS medians,
		string_agg(coalesce(written(median, d)
			|| CASE WHEN written(min, d) <> written(max, d) THEN format(' (%s–%s)', written(min, d), written(max, d)) ELSE '' END
			|| CASE WHEN rival <> beside(question) AND question <> 'readers' AND ratio IS NOT NULL THEN ' ×' || written(ratio, decimals(ratio)) ELSE '' END, ''), ' | ' ORDER BY column_place) AS cells
	FROM grid
	GROUP BY 1, 2, 3, 4;

-- Who misses rows is in no chart.  In a name, a line ends after a comma.
CREATE TABLE chart AS
	SELECT regexp_replace(question || '_' || measure, '[^a-z0-9]+', '_', 'gi') || '.' || major AS name, format('%s: %s, PostgreSQL %s', question, measure, major) AS title, max(columns) AS columns,
		bool_and(head ~ '^[0-9]') AS lines, question = 'growth' AND measure ~ '^rows' OR question = 'readers' AND measure ~ '^ms' AS log,
		format(E'""\t"%s"\n', max(chart_names)) || string_agg(format(E'"%s"\t%s', replace(head, ', ', ',\n'), medians), E'\n' ORDER BY n) AS data
	FROM line WHERE (question, major, head) NOT IN (SELECT question, major, rival FROM median WHERE measure = 'rows missed' AND max > 0) GROUP BY question, measure, major;

SELECT
	E'# sno, measured\n\nWhat `make bench` measured: sno beside what one would use in its place. The figures of a version are of one run, on the machine in its column. `bench/report` makes this page of the figures of all rounds, which are the files QUESTION.MAJOR.tsv in this folder; the heads of the scripts in `bench/` are the texts.\n';
SELECT format(E'| |%s\n|---|%s', string_agg(format(' PostgreSQL %s |', major), '' ORDER BY major), repeat('---|', count(*)::integer)) FROM (SELECT DISTINCT major FROM question) m;
SELECT format('| %s |', key) || string_agg(format(' %s |', coalesce(value, 'not recorded')), '' ORDER BY major)
	FROM (SELECT key, min(n) AS n FROM machine GROUP BY key) k CROSS JOIN (SELECT DISTINCT major FROM question) m LEFT JOIN machine USING (key, major)
	GROUP BY key, k.n ORDER BY k.n;
SELECT
	E'\nIn each round every rival has its turn, in an order that is drawn anew. A figure is the median of the rounds, with the least and the greatest in parentheses. ×2 says that it is twice that of sno, or of *ceiling*: such ratios are computed within each round, where both had the same conditions, and are then the median of these. So they can differ a little from the ratio of the medians.';
SELECT CASE WHEN row_number() OVER (PARTITION BY question ORDER BY place) = 1 THEN format(E'\n## %s\n\n%s\n', question, about) ELSE '' END
		|| format(E'\n### %s%s', measure, CASE WHEN measure ~ ' a second' THEN ' (more is better)' WHEN measure ~ '^(rows|part|%)' THEN '' ELSE ' (less is better)' END) || tables
	FROM (SELECT question, measure, min(place) AS place, string_agg(text, '' ORDER BY major) AS tables
		FROM (SELECT question, measure, major, format(E'\n\nPostgreSQL %s, %s:\n\n| | %s |\n|---%s|\n', major,
				CASE max(rounds) WHEN 1 THEN 'one round' ELSE max(rounds) || ' rounds' END, max(names), repeat('|--:', max(columns)))
				|| string_agg(format('| %s | %s |', head, cells), E'\n' ORDER BY n) AS text
			FROM line GROUP BY 1, 2, 3) t
			JOIN (SELECT question, major, measure, min(place) AS place FROM median GROUP BY 1, 2, 3) m USING (question, major, measure)
		GROUP BY 1, 2) q
		JOIN (SELECT question, max(about) AS about FROM question GROUP BY 1) a USING (question)
	ORDER BY question, place;

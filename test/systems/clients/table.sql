-- What each client begins with: nothing of the last one, and a new extension with
-- new OIDs
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
DROP EXTENSION IF EXISTS sno;

CREATE EXTENSION sno;
CREATE TABLE event (
    id      sno PRIMARY KEY DEFAULT sno_generate(3),
    payload text
);

-- And for readers of new rows
ALTER TABLE event ADD kind text;
CREATE TABLE reader (name text PRIMARY KEY, since sno NOT NULL DEFAULT sno_min(), upto sno NOT NULL DEFAULT sno_min());
INSERT INTO reader VALUES ('mailer');

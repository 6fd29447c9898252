-- What each client begins with: nothing of the last one, and a new extension with
-- new OIDs
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
CREATE EXTENSION sno;
CREATE TABLE event (
    id      sno PRIMARY KEY DEFAULT sno_generate(3),
    payload text
);

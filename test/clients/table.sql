-- What each client begins with, a new extension with new OIDs
DROP TABLE IF EXISTS event;
DROP EXTENSION IF EXISTS sno;
CREATE EXTENSION sno;
CREATE TABLE event (
    id      sno PRIMARY KEY DEFAULT sno_generate(3),
    payload text
);

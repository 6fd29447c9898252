-- The table that each client begins with
DROP TABLE IF EXISTS event;
CREATE TABLE event (
    id      sno PRIMARY KEY DEFAULT sno_generate(3),
    payload text
);

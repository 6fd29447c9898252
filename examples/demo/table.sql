-- The table of the demonstration.  The byte that every sno has room for tells
-- the kind of event: 1 a page that was looked at, 2 an order, 3 a payment.
\echo CREATE EXTENSION sno, CREATE TABLE event (id sno PRIMARY KEY ...)
CREATE EXTENSION sno;

CREATE TABLE event
(
    id      sno     PRIMARY KEY DEFAULT sno_generate(1),
    account integer NOT NULL,
    kind    text    NOT NULL DEFAULT 'view',
    payload jsonb   NOT NULL
);

--
-- The record
--
-- Generating needs the replication origin that keeps the record.  Creating the origin is
-- not undone by a rollback, and shuts down a standby without a free slot.  So it is the
-- last step: a script that fails has not done it.  It fails if the server has no slot.
SELECT sno_origin_create();

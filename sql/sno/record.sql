--
-- The record
--
-- Generating needs the replication origin that keeps the record.  Creating it is not
-- undone by a rollback, and shuts down a standby without a free slot.  So it comes
-- last: a script that fails has not done it.  An error if the server has no free slot.
SELECT sno_origin_create();

-- Writes no longer compare a collection with an earlier write of the same process.
alter table collections
  drop column write_id,
  drop column write_xid;

-- Documents that are only added are judged by the collection as the write before them leaves it, while
-- that write is still under way. So each such write gives the collection a number of its own, known to
-- whoever comes next, and notes its transaction: a row that another transaction wrote since is told by
-- its xmin, whatever that was.

alter table collections
  add column write_id uuid,
  add column write_xid xid;
comment on column collections.write_id is 'Of the last write that only added documents.';
comment on column collections.write_xid is 'Its transaction: the row says no more than it did as long as this is its xmin.';

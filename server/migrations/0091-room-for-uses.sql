-- The last use of a key changes often: with room on its page (of new pages), the
-- update writes no index entry.
alter table api_keys set (fillfactor = 70);

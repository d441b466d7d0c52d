-- Who follows the changes of a collection goes on after a number. A collection that takes the name of
-- one that was deleted began again at 1, and so went on after a number of the other as if it were its
-- own. The numbers of a new collection now begin above all that a deleted one of the project had.

alter table data_usage add column deleted_change_number bigint not null default 0;
comment on column data_usage.deleted_change_number is 'The highest number that a change of a deleted collection had.';

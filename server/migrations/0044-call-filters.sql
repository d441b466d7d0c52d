-- Lists of calls are filtered by caller, by called number and by outcome. The project is the second
-- column, so that the lookups of the foreign key of call_messages keep using the primary key.

create index calls_from_number on calls (from_number, project_id, id);
create index calls_to_number on calls (to_number, project_id, id);
create index calls_number on calls (number_id, project_id, id);
create index calls_status on calls (status, project_id, id);
drop index calls_number_id;

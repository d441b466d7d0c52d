-- Lists of calls are filtered by caller, by called number and by outcome.

create index calls_from_number on calls (project_id, from_number, id);
create index calls_to_number on calls (project_id, to_number, id);
create index calls_number on calls (project_id, number_id, id);
create index calls_status on calls (project_id, status, id);

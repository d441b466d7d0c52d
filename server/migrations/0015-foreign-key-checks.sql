-- Every posting is checked for its entry and every attempt for its delivery, by project and id.
-- An index that begins with the project, as the primary key does, looks equally good for that while
-- the planner knows of few rows, and then each check reads all rows of the project. So these two
-- begin with something else.

alter table ledger_entries
  drop constraint ledger_entries_reference,
  add constraint ledger_entries_reference unique (reference, kind, project_id);

alter table webhook_deliveries
  drop constraint webhook_deliveries_event,
  add constraint webhook_deliveries_event unique (endpoint_id, project_id, event_id);

-- What an approval is about by its name, which is gone once the thing was deleted.

alter table approvals add column subject text, add column loss text;
comment on column approvals.subject is 'What the thing was called when this was asked for; null: it has no name.';
comment on column approvals.loss is 'What would have been lost when this was asked for, in a sentence; null: nothing more than about says.';

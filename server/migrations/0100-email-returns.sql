-- Finds the recipient of a bounce, whose address names it without the project.

create index email_recipients_id on email_recipients (id);

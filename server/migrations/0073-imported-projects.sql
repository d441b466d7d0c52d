-- People of an imported project count as new at their first email.
alter table projects add column imported_at timestamptz;
comment on column projects.imported_at is 'When the project was imported from another installation; null if it was created here.';

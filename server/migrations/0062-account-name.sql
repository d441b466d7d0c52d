-- The name of a person, which their colleagues see.

alter table people add column name text;
comment on column people.name is 'As the person wrote it; null: colleagues see the email address.';

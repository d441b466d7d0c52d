-- Operators of the installation, and projects that they take offline.

alter table people add column is_operator boolean not null default false;
comment on column people.is_operator is 'Whether the person operates the installation; set by the command line only.';

alter table projects
  add column offline_at timestamptz,
  add column offline_reason text,
  add check ((offline_at is null) = (offline_reason is null));
comment on column projects.offline_at is 'When an operator took the project offline; null if it is online.';

-- Phone numbers. A released number stays as a row, because calls and messages name it.

create table numbers (
  project_id uuid not null references projects (id),
  id uuid not null unique,
  e164 text not null,
  type text not null check (type in ('national', 'geographic')),
  status text not null check (status in ('active', 'pending')),
  test boolean not null,
  from_stock boolean not null,
  created_at timestamptz not null,
  released_at timestamptz,
  primary key (project_id, id)
);
comment on table numbers is 'Phone numbers of a project, released ones included.';
comment on column numbers.type is '@type "national" | "geographic"';
comment on column numbers.status is '@type "active" | "pending"';
-- The fictional range is small, so each project has it for itself; a real number has one owner.
create unique index numbers_e164_of_project on numbers (project_id, e164) where released_at is null;
create unique index numbers_e164_live on numbers (e164) where released_at is null and not test;

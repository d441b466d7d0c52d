-- Call plans: what happens when a number is called.

create table call_plans (
  project_id uuid not null references projects (id),
  number_id uuid,
  version integer not null check (version > 0),
  plan json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint call_plans_of_number unique nulls not distinct (project_id, number_id)
);
comment on table call_plans is 'Plans as text, exactly as sent (json, never jsonb, which would reorder keys). A row without a number is the plan of the project, for numbers that have none.';

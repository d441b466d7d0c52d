-- What the simulators of the outside world remember, as the outside world would.

create table simulator_records (
  simulator text not null,
  id text not null,
  record jsonb not null,
  created_at timestamptz not null,
  primary key (simulator, id)
);
comment on table simulator_records is 'Development only: orders, payments and the like as the simulated provider knows them. No rule of the business reads it.';
comment on column simulator_records.record is '@json unknown';

-- How long a project keeps its personal data.

create table retention_choices (
  project_id uuid not null references projects (id),
  kind text not null,
  days integer check (days between 1 and 3650),
  changed_at timestamptz not null,
  primary key (project_id, kind)
);
comment on table retention_choices is 'How long a project keeps a kind of personal data, if not for the default time.';
comment on column retention_choices.days is 'Days until the records are deleted; null: until somebody deletes them.';

-- By this index, old transcripts are found without reading calls whose transcript is deleted.
create index calls_with_transcript on calls (project_id, id) where transcript <> '[]'::jsonb;

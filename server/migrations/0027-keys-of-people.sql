-- Keys that people make: whose each is, and what limits it. `access` stays what is in force: what
-- own_access (of the key itself) and creator_access (of the person who made it) both allow, written
-- whenever one of them changes, so that recognising a key asks for nothing more than before. Who leaves
-- the team leaves their creator_access as it was.

alter table api_keys
  add column own_access jsonb,
  add column created_by uuid references people (id) on delete set null,
  add column creator_access jsonb;
update api_keys set own_access = access;
comment on column api_keys.own_access is '@json { sites: string[]; apps: string[]; collections?: string[] } | null';
comment on column api_keys.created_by is 'The person who made it; null: the operator.';
comment on column api_keys.creator_access is '@json { sites: string[]; apps: string[] } | null';
create index api_keys_created_by on api_keys (created_by);

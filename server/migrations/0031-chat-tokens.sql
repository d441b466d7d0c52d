-- Public tokens are managed over the API, and sites get one of their own.

alter table public_tokens
  add column site_id uuid,
  add column daily_conversation_limit integer not null default 200,
  add column daily_spend_limit_micro bigint not null default 5000000,
  add column test boolean not null default false,
  drop constraint public_tokens_allowed_origins_check,
  add constraint public_tokens_allowed_somewhere check (cardinality(allowed_origins) > 0 or site_id is not null);
comment on column public_tokens.site_id is 'The site whose pages may use the token at every address of the site. Null: only allowed_origins count.';
create index public_tokens_site on public_tokens (site_id, project_id) where site_id is not null;

-- Sources of the assistant's knowledge: websites, sites of the project, texts and documents of the
-- media library. Collections with assistant_facts are read from their own table.

create table assistant_sources (
  project_id uuid not null references projects (id),
  id uuid not null,
  kind text not null check (kind in ('website', 'site', 'text', 'media')),
  managed_by text not null check (managed_by in ('sources', 'assistant')),
  title text not null,
  url text,
  text text,
  site_id uuid,
  media_id uuid,
  status text not null check (status in ('pending', 'indexed', 'failed')),
  error text,
  run integer not null,
  started_at timestamptz,
  due_at timestamptz,
  attempts integer not null,
  pages_done integer not null,
  pages_total integer not null,
  pages integer not null,
  bytes_read bigint not null,
  robots text,
  content_mark text,
  indexed_at timestamptz,
  test boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint assistant_sources_of_kind check (
    (kind = 'website') = (url is not null) and (kind = 'text') = (text is not null)
    and (kind = 'site') = (site_id is not null) and (kind = 'media') = (media_id is not null)),
  constraint assistant_sources_due check (status <> 'pending' or due_at is not null)
);
comment on table assistant_sources is 'What the assistant learns from, apart from its settings and collections, and the state of indexing it.';
comment on column assistant_sources.kind is '@type "website" | "site" | "text" | "media"';
comment on column assistant_sources.managed_by is '@type "sources" | "assistant"';
comment on column assistant_sources.status is '@type "pending" | "indexed" | "failed"';
comment on column assistant_sources.run is 'Increases when indexing starts again, so that an older run changes nothing.';
comment on column assistant_sources.started_at is 'When the current indexing read its first page; null before and afterwards.';
comment on column assistant_sources.due_at is 'When the source is worked on next; null: not by itself.';
comment on column assistant_sources.attempts is 'Consecutive failures that are worth another attempt.';
comment on column assistant_sources.robots is 'The robots.txt that the current crawl keeps to.';
comment on column assistant_sources.content_mark is 'The version of the site or the digest of the file that is indexed.';
create index assistant_sources_due on assistant_sources (due_at) where due_at is not null;
create unique index assistant_sources_setting on assistant_sources (project_id) where managed_by = 'assistant';

create table assistant_source_pages (
  project_id uuid not null,
  source_id uuid not null,
  url text not null,
  position integer not null,
  state text not null check (state in ('waiting', 'read', 'failed')),
  title text not null,
  etag text,
  last_modified text,
  error text,
  read_at timestamptz,
  primary key (project_id, source_id, url),
  foreign key (project_id, source_id) references assistant_sources (project_id, id) on delete cascade
);
comment on table assistant_source_pages is 'The pages of a website or site that are indexed or wait to be read.';
comment on column assistant_source_pages.state is '@type "waiting" | "read" | "failed"';
comment on column assistant_source_pages.position is 'The order of reading.';

-- The website of the settings becomes a source, and is read again.
insert into assistant_sources (project_id, id, kind, managed_by, title, url, status, run, due_at,
  attempts, pages_done, pages_total, pages, bytes_read, test, created_at, updated_at)
select project_id, gen_random_uuid(), 'website', 'assistant', website_url, website_url, 'pending', 1,
  updated_at, 0, 0, 0, 0, 0, false, updated_at, updated_at
from assistants where website_url is not null;
delete from jobs where kind = 'assistant.read_website';

-- Passages belong to a source. The zero id is that of the settings of the assistant.
alter table assistant_passages
  add column source_id uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint assistant_passages_of_document;
alter table assistant_passages alter column source_id drop default;
update assistant_passages set source_id = collection_id where source = 'document';
update assistant_passages as p set source_id = s.id from assistant_sources as s
  where p.source = 'website' and s.project_id = p.project_id and s.managed_by = 'assistant';
delete from assistant_passages
  where source = 'website' and source_id = '00000000-0000-0000-0000-000000000000';
alter table assistant_passages
  drop constraint assistant_passages_pkey,
  add primary key (project_id, source_id, source, position),
  drop column collection_id,
  drop column plain,
  drop column title_words,
  drop column subject,
  drop column title_concepts,
  drop column concepts;
comment on table assistant_passages is 'What the assistant may say: facts, sentences of its instructions, documents, and chunks of its sources.';
comment on column assistant_passages.source_id is 'The source, or the collection of a document; zero for facts and instructions.';
comment on column assistant_passages.words is 'Words of title and body in the language of the passage, for full-text search.';

comment on column calls.transcript is '@json { role: "caller" | "assistant" | "system"; text: string; at: string; node_id: string | null; sources?: { title: string; url: string | null; source_id: string }[] }[]';

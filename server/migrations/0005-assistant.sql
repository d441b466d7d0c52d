-- The assistant of a project, and the passages that it answers from.

-- Likeness of words by their trigrams needs pg_trgm. It comes with PostgreSQL, but a hosted one may
-- refuse to create it: the assistant then searches by words alone.
do $$
begin
  create extension if not exists pg_trgm;
exception
  when insufficient_privilege or undefined_file or feature_not_supported or invalid_schema_name then
    raise notice 'pg_trgm cannot be created here, so the assistant searches by words alone.';
end
$$;

do $$
begin
  create function assistant_likeness(text, text) returns real
    language sql immutable parallel safe as 'select word_similarity($1, $2)';
exception
  when undefined_function then
    create function assistant_likeness(text, text) returns real
      language sql immutable parallel safe as 'select 0::real';
end
$$;
comment on function assistant_likeness is 'How well a word is found in a text, from 0 to 1, spelling mistakes allowed. Always 0 without pg_trgm.';

-- Written out, because a conversion by name would depend on the search path and could not be indexed.
create function assistant_text_config(language text) returns regconfig
  language sql immutable parallel safe as $$
  select case language
    when 'nl' then 'pg_catalog.dutch'::regconfig
    when 'en' then 'pg_catalog.english'::regconfig
    when 'de' then 'pg_catalog.german'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig
    when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig
    when 'pt' then 'pg_catalog.portuguese'::regconfig
    when 'da' then 'pg_catalog.danish'::regconfig
    when 'sv' then 'pg_catalog.swedish'::regconfig
    when 'no' then 'pg_catalog.norwegian'::regconfig
    when 'nb' then 'pg_catalog.norwegian'::regconfig
    when 'fi' then 'pg_catalog.finnish'::regconfig
    when 'hu' then 'pg_catalog.hungarian'::regconfig
    when 'ro' then 'pg_catalog.romanian'::regconfig
    when 'tr' then 'pg_catalog.turkish'::regconfig
    else 'pg_catalog.simple'::regconfig
  end
$$;
comment on function assistant_text_config is 'The full-text configuration of a language by its two letters.';

create table assistants (
  project_id uuid primary key references projects (id),
  version integer not null,
  name text not null,
  greeting text not null,
  instructions text not null,
  languages text[] not null,
  voice text,
  timezone text not null,
  opening_hours jsonb not null,
  closures jsonb not null,
  website_url text,
  facts jsonb not null,
  transfer_phone text,
  transfer_email text,
  updated_at timestamptz not null
);
comment on table assistants is 'The assistant of a project as PUT /assistant left it. No row: never set up.';
comment on column assistants.opening_hours is '@json { day: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"; from: string; to: string }[]';
comment on column assistants.closures is '@json { date: string; reason: string | null }[]';
comment on column assistants.facts is '@json { question: string; answer: string }[]';

-- A search reads all passages of one project, some hundreds at most, by the primary key. An index
-- over the words of every project's passages would cost each write and narrow nothing.
create table assistant_passages (
  project_id uuid not null references projects (id),
  source text not null check (source in ('fact', 'instruction', 'website')),
  position integer not null,
  title text not null,
  body text not null,
  url text,
  language text not null,
  folded text not null,
  subject text not null,
  title_concepts text[] not null,
  concepts text[] not null,
  words tsvector not null generated always as (
    setweight(to_tsvector(assistant_text_config(language), title), 'A') ||
    setweight(to_tsvector(assistant_text_config(language), body), 'B')
  ) stored,
  plain tsvector not null generated always as (to_tsvector('pg_catalog.simple', folded)) stored,
  title_words tsvector not null generated always as (
    to_tsvector(assistant_text_config(language), subject)
  ) stored,
  primary key (project_id, source, position)
);
comment on table assistant_passages is 'What the assistant may say: facts, sentences of its instructions, and text of the website.';
comment on column assistant_passages.source is '@type "fact" | "instruction" | "website"';
comment on column assistant_passages.subject is 'The words of a fact''s question that carry its subject, apart from concepts.';
comment on column assistant_passages.title_concepts is 'What a fact''s question is about, whatever its words.';
comment on column assistant_passages.folded is 'Title and body in lowercase letters without accents.';

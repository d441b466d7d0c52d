-- Documents of collections that are marked `assistant_facts` are something the assistant may say.

alter table assistant_passages
  add column collection_id uuid,
  add column document_id uuid,
  drop constraint assistant_passages_source_check,
  add constraint assistant_passages_source_check check (source in ('fact', 'instruction', 'website', 'document')),
  add constraint assistant_passages_of_document check ((source = 'document') = (document_id is not null and collection_id is not null));
comment on table assistant_passages is 'What the assistant may say: facts, sentences of its instructions, text of the website, and documents.';
comment on column assistant_passages.source is '@type "fact" | "instruction" | "website" | "document"';
create unique index assistant_passages_document on assistant_passages (document_id, project_id) where document_id is not null;
create index assistant_passages_collection on assistant_passages (collection_id, project_id) where collection_id is not null;

-- A change was a row with two entries in indexes, a third of what writing many documents at once
-- costs. A row is now a run of changes of one kind that leave one version, such as the documents of
-- an import. Their numbers follow one another, beginning with `number`.

alter table document_changes add column document_ids uuid[];
update document_changes set document_ids = array[document_id];
alter table document_changes
  alter column document_ids set not null,
  add check (cardinality(document_ids) between 1 and 100),
  drop column document_id;
comment on column document_changes.number is 'Of the first of document_ids; each further one has the next.';

-- What visitors sent has a part of the plan of its own; these make its sum cheap.
create index documents_of_forms on documents (project_id) include (bytes) where source = 'form';
create index media_of_forms on media (project_id) include (bytes) where source = 'form';

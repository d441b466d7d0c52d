-- The insert joins projects. The foreign key looked up and locked the row of the project for each request.
alter table request_log drop constraint request_log_project_id_fkey;

-- Services of the project that the code of an app may use, and one number for all that changes its process.

alter table app_versions add column services jsonb not null default '[]';
comment on column app_versions.services is '@json ("email" | "media" | "chat")[]';

alter table apps rename column secrets_revision to revision;
comment on column apps.revision is 'Grows with each deploy, rollback and change of a secret, so that processes start again.';

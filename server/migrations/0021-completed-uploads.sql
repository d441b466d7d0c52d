-- Uploads that were put into the media library: what was deleted there since does not come back.

alter table uploads add column completed_at timestamptz;
comment on column uploads.completed_at is 'When its file was put into the media library, under the id of the upload.';

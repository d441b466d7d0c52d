-- Smaller copies of pictures belong to stored files, so that sites can have them of any picture.

create table picture_copies (
  project_id uuid not null,
  file_id uuid not null,
  width integer not null,
  format text not null check (format in ('webp', 'avif', 'jpeg', 'png')),
  bytes bigint not null,
  created_at timestamptz not null,
  primary key (project_id, file_id, width, format),
  foreign key (project_id, file_id) references files (project_id, id) on delete cascade
);
comment on table picture_copies is 'Smaller copies of pictures. Their bytes are kept beside the picture.';
comment on column picture_copies.format is '@type "webp" | "avif" | "jpeg" | "png"';

insert into picture_copies (project_id, file_id, width, format, bytes, created_at)
  select v.project_id, m.file_id, v.width, v.format, v.bytes, v.created_at
    from media_variants as v
      join media as m on m.project_id = v.project_id and m.id = v.media_id
      join files as f on f.project_id = m.project_id and f.id = m.file_id
  on conflict do nothing;
drop table media_variants;

create table profiles (
  user_id uuid primary key,
  name text not null,
  about text not null
);

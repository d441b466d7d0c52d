create table bookings (
  id bigserial primary key,
  day date not null,
  time text not null check (time in ('17:30', '19:00', '20:30')),
  name text not null,
  email text not null,
  created_at timestamptz not null default now(),
  unique (day, time)
);

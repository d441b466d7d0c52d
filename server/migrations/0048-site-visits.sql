-- Page views of sites per day, without anything about the visitors.

create table site_visits (
  project_id uuid not null,
  site_id uuid not null,
  day date not null,
  kind text not null check (kind in ('page', 'referrer')),
  name text not null check (length(name) <= 200),
  views bigint not null check (views > 0),
  primary key (project_id, site_id, day, kind, name),
  foreign key (project_id, site_id) references sites (project_id, id) on delete cascade
);
comment on table site_visits is 'Page views of a site on a UTC day, by path, and by the host of the page with the link. The empty name counts those beyond the maximum number of names.';
comment on column site_visits.kind is '@type "page" | "referrer"';
create index site_visits_day on site_visits (day);

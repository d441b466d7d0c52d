-- A number for each state of a site, so that two changes of settings cannot overwrite each other.

-- A new revision is never a number that a client knows as the version of an older state.
alter table sites add column revision integer not null default 1;
update sites set revision = last_version;
comment on column sites.revision is 'Counts every change of the site: deploys, rollbacks, settings, moderation. It is the ETag.';

-- Tells whether a set of new documents was checked against the current settings.
alter table collections add column settings_version integer not null default 1;

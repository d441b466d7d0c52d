-- When a key was last used, to about a minute.

alter table api_keys add column last_used_at timestamptz;

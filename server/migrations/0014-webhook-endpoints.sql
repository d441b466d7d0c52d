-- Endpoints: the secret that a rotation replaced, since when and why one is disabled, and at how
-- many failures in a row its owner was last warned.

alter table webhook_endpoints
  add column previous_sealed_secret bytea,
  add column previous_secret_until timestamptz,
  add column disabled_at timestamptz,
  add column disabled_reason text check (disabled_reason in ('failures')),
  add column warned_failures integer not null default 0 check (warned_failures >= 0),
  add check ((previous_sealed_secret is null) = (previous_secret_until is null));
-- Those that were disabled before this was kept.
update webhook_endpoints
  set disabled_at = coalesce(last_failure_at, created_at), disabled_reason = 'failures'
  where not active;
alter table webhook_endpoints
  add check ((disabled_at is null) = (disabled_reason is null)),
  add check (not active or disabled_at is null);
comment on column webhook_endpoints.disabled_reason is '@type "failures" | null';
comment on column webhook_endpoints.warned_failures is 'The highest number of failures in this streak that the owner was warned about; 0: none.';
create index webhook_endpoints_previous_secret on webhook_endpoints (previous_secret_until) where previous_secret_until is not null;

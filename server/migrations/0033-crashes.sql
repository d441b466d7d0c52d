-- Evidence of processes that died: a lease that ran out without being given back was held by a
-- process that ended. Work that was running at two such ends is set aside instead of run again.
alter table jobs
  add column crashes integer not null default 0,
  add column begun boolean not null default true;
comment on column jobs.crashes is 'How many processes ended while they ran this job.';
comment on column jobs.begun is 'Whether the run of the present lease began. A job with crashes waits for its turn after it is leased.';

alter table webhook_deliveries
  add column crashes integer not null default 0,
  add column begun boolean not null default true;
comment on column webhook_deliveries.crashes is 'How many processes ended while they attempted this delivery.';
comment on column webhook_deliveries.begun is 'Whether the attempt of the present lease began. A delivery with crashes waits for its turn after it is leased.';

-- Samples of waiting, late and failed work, for the charts of operators.

create table queue_samples (
  sampled_at timestamptz primary key,
  jobs_due integer not null,
  jobs_oldest_s integer not null,
  jobs_failed integer not null,
  deliveries_due integer not null,
  deliveries_oldest_s integer not null,
  deliveries_failed integer not null
);
comment on table queue_samples is 'Jobs and deliveries of the installation every five minutes, kept 31 days.';
comment on column queue_samples.sampled_at is 'A multiple of five minutes, so that processes write one row.';
comment on column queue_samples.jobs_due is 'Jobs that wait although they are due, as deliveries_due for deliveries.';
comment on column queue_samples.jobs_oldest_s is 'How late the oldest of them is; 0 if there is none.';
comment on column queue_samples.jobs_failed is 'Jobs that failed for good and were not retried.';
comment on column queue_samples.deliveries_failed is 'Deliveries that failed for good in the five minutes before.';

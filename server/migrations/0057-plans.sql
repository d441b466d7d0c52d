-- The billing of plans: what a project pays for its plan, planned downgrades, failed payments, and
-- payments of plans by card.

create table plan_subscriptions (
  project_id uuid not null primary key references projects (id),
  state text not null check (state in ('active', 'past_due', 'ended')),
  granted boolean not null,
  price_micro bigint not null check (price_micro >= 0),
  month date not null,
  next_plan text check (next_plan in ('free', 'online', 'reachable', 'business', 'enterprise')),
  tries integer not null check (tries >= 0),
  next_try_at timestamptz,
  failure text,
  failed_at timestamptz,
  updated_at timestamptz not null,
  constraint plan_subscriptions_past_due check (state = 'past_due' or next_try_at is null),
  constraint plan_subscriptions_ended check (state <> 'ended' or next_plan is null),
  constraint plan_subscriptions_failure check ((failure is null) = (failed_at is null))
);
comment on table plan_subscriptions is 'The billing of the plan of a project, which must be the live project of a pair. A project on Free, or on a plan set by the operator, needs no row.';
comment on column plan_subscriptions.state is '@type "active" | "past_due" | "ended"';
comment on column plan_subscriptions.granted is 'Whether the operator has set the plan, so that it costs nothing.';
comment on column plan_subscriptions.price_micro is 'Price of the whole month; the paid amount is less if the plan began later.';
comment on column plan_subscriptions.month is 'First day of the month that is paid, or owed while past_due.';
comment on column plan_subscriptions.next_plan is '@type "free" | "online" | "reachable" | "business" | "enterprise" | null';
comment on column plan_subscriptions.tries is 'Failed attempts to charge the owed month.';
comment on column plan_subscriptions.next_try_at is 'The next attempt; null while a card payment is pending.';
comment on column plan_subscriptions.failure is 'Why the last attempt failed.';
create index plan_subscriptions_month on plan_subscriptions (month)
  where state = 'active' and (not granted or next_plan is not null);
create index plan_subscriptions_past_due on plan_subscriptions (project_id) where state = 'past_due';

create table plan_payments (
  project_id uuid not null references projects (id),
  id uuid not null,
  kind text not null check (kind in ('upgrade', 'month')),
  from_plan text not null,
  plan text not null check (plan in ('online', 'reachable', 'business', 'enterprise')),
  price_micro bigint not null check (price_micro >= 0),
  due_micro bigint not null check (due_micro > 0),
  card_micro bigint not null check (card_micro >= due_micro),
  month date not null,
  counts_as_try boolean not null,
  state text not null check (state in ('pending', 'paid', 'failed')),
  failure text,
  payment_method text not null,
  customer text,
  payment_id text,
  description text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (project_id, id),
  constraint plan_payments_ended check ((state = 'pending') = (ended_at is null)),
  constraint plan_payments_paid check ((state = 'paid') = (payment_id is not null)),
  constraint plan_payments_failed check ((state = 'failed') = (failure is not null))
);
comment on table plan_payments is 'Payments of plans by the saved card. The row is written before the card is charged.';
comment on column plan_payments.id is 'The idempotency key of the payment at the provider.';
comment on column plan_payments.kind is '@type "upgrade" | "month"';
comment on column plan_payments.from_plan is '@type "free" | "online" | "reachable" | "business" | "enterprise"';
comment on column plan_payments.plan is '@type "online" | "reachable" | "business" | "enterprise"';
comment on column plan_payments.price_micro is 'Price of the whole month.';
comment on column plan_payments.due_micro is 'What the plan costs now.';
comment on column plan_payments.card_micro is 'What the card pays, at least the minimum of the provider; the rest stays on the balance.';
comment on column plan_payments.counts_as_try is 'Whether a failure counts as one of the attempts after which the plan ends.';
comment on column plan_payments.state is '@type "pending" | "paid" | "failed"';
create unique index plan_payments_pending on plan_payments (project_id) where state = 'pending';

alter table projects add column plan_lowered_at timestamptz;
comment on column projects.plan_lowered_at is 'When a smaller plan last took effect; earlier versions of documents beyond its quota are kept for a while.';

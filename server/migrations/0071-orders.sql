-- Payments by the customers of a project: the account at a provider, orders, refunds and the built-in provider.

create table payment_accounts (
  project_id uuid not null references projects (id),
  test boolean not null,
  id uuid not null unique,
  provider text not null check (provider in ('builtin', 'mollie', 'stripe')),
  connected_at timestamptz not null,
  primary key (project_id, test)
);
comment on table payment_accounts is 'The account of a project at a payment provider, which gets the money of its customers. Without a row, test mode uses the built-in provider.';
comment on column payment_accounts.provider is '@type "builtin" | "mollie" | "stripe"';

create table order_counters (
  project_id uuid not null references projects (id),
  test boolean not null,
  last_number integer not null check (last_number > 0),
  primary key (project_id, test)
);
comment on table order_counters is 'The last order number of a project. Its row is locked until the order is committed, so numbers have no gaps.';

create table orders (
  project_id uuid not null references projects (id),
  id uuid not null,
  test boolean not null,
  number integer not null check (number > 0),
  status text not null check (status in ('open', 'pending', 'paid', 'failed', 'expired', 'canceled',
    'partially_refunded', 'refunded', 'charged_back')),
  provider text not null check (provider in ('builtin', 'mollie', 'stripe')),
  provider_reference text,
  amount_cents bigint not null check (amount_cents > 0),
  vat_cents bigint not null check (vat_cents >= 0 and vat_cents <= amount_cents),
  refunded_cents bigint not null check (refunded_cents >= 0 and refunded_cents <= amount_cents),
  items jsonb not null,
  customer_name text,
  customer_email text,
  customer_phone text,
  metadata jsonb not null,
  site_id uuid,
  success_url text,
  cancel_url text,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  paid_at timestamptz,
  ended_at timestamptz,
  checked_at timestamptz,
  primary key (project_id, id),
  -- Not led by project_id, so that checks of foreign keys use the primary key.
  unique (number, project_id, test),
  check (paid_at is not null or status in ('open', 'pending', 'failed', 'expired', 'canceled'))
);
comment on table orders is 'Orders of customers of a project. A status never goes back.';
comment on column orders.status is '@type "open" | "pending" | "paid" | "failed" | "expired" | "canceled" | "partially_refunded" | "refunded" | "charged_back"';
comment on column orders.provider is '@type "builtin" | "mollie" | "stripe"';
comment on column orders.provider_reference is 'Id of the payment at the provider; null until the customer opens the checkout page.';
comment on column orders.vat_cents is 'The VAT that amount_cents includes: the sum of the lines, each rounded half up.';
comment on column orders.items is '@json { name: string; quantity: number; unit_price_cents: number; vat_percent: number; amount_cents: number; vat_cents: number }[]';
comment on column orders.metadata is '@json Record<string, string>';
comment on column orders.ended_at is 'When it failed, expired or was canceled.';
comment on column orders.checked_at is 'When its payment was last read from the provider.';
create unique index orders_reference on orders (project_id, provider, provider_reference) where provider_reference is not null;
create index orders_unsettled on orders (checked_at nulls first) where status in ('open', 'pending') and provider_reference is not null;

create table order_refunds (
  project_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  reason text,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  provider_reference text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, order_id) references orders (project_id, id) on delete cascade,
  check ((status = 'pending') = (ended_at is null))
);
comment on table order_refunds is 'Refunds of orders. A pending refund counts towards the amount that is refunded.';
comment on column order_refunds.status is '@type "pending" | "succeeded" | "failed"';
create index order_refunds_order on order_refunds (project_id, order_id, id);

create table order_timeline (
  project_id uuid not null,
  id uuid not null,
  order_id uuid not null,
  event text not null,
  amount_cents bigint,
  happened_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, order_id) references orders (project_id, id) on delete cascade
);
comment on table order_timeline is 'What happened to an order, in order of time.';
comment on column order_timeline.event is '@type "created" | "checkout_opened" | "pending" | "paid" | "failed" | "expired" | "canceled" | "refund_requested" | "refunded" | "refund_failed" | "charged_back"';
create index order_timeline_order on order_timeline (project_id, order_id, id);

create table builtin_payments (
  project_id uuid not null references projects (id),
  id uuid not null,
  state text not null check (state in ('open', 'pending', 'paid', 'failed', 'expired', 'canceled')),
  amount_cents bigint not null check (amount_cents > 0),
  refunded_cents bigint not null check (refunded_cents >= 0 and refunded_cents <= amount_cents),
  charged_back boolean not null,
  refund_ids uuid[] not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table builtin_payments is 'Payments of the built-in provider, whose test page moves no money.';
comment on column builtin_payments.state is '@type "open" | "pending" | "paid" | "failed" | "expired" | "canceled"';
comment on column builtin_payments.refund_ids is 'Refunds that were made, so that a repeated request refunds once.';

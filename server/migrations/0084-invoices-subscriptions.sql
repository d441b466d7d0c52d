-- Invoices and credit notes of paid orders, and subscriptions of customers.

create table order_invoices (
  project_id uuid not null,
  id uuid not null,
  test boolean not null,
  number integer not null check (number > 0),
  kind text not null check (kind in ('invoice', 'credit_note')),
  order_id uuid not null,
  seller jsonb not null,
  vat jsonb not null,
  amount_cents bigint not null,
  vat_cents bigint not null,
  issued_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, order_id) references orders (project_id, id) on delete cascade,
  -- Not led by project_id, so that checks of foreign keys use the primary key.
  unique (number, project_id, test)
);
comment on table order_invoices is 'Invoices of paid orders, and credit notes of refunds. What was ordered, and by whom, is in the order.';
comment on column order_invoices.kind is '@type "invoice" | "credit_note"';
comment on column order_invoices.seller is '@json { name: string; lines: string[] }';
comment on column order_invoices.vat is '@json { vat_percent: number; amount_cents: number; vat_cents: number }[]';
create index order_invoices_order on order_invoices (project_id, order_id, id);

create table invoice_counters (
  project_id uuid not null references projects (id),
  test boolean not null,
  last_number integer not null check (last_number > 0),
  primary key (project_id, test)
);
comment on table invoice_counters is 'The last invoice number of a project. Its row is locked until the invoice is committed, so numbers have no gaps.';

create table payment_subscriptions (
  project_id uuid not null references projects (id),
  id uuid not null,
  test boolean not null,
  status text not null check (status in ('pending', 'active', 'past_due', 'canceled', 'completed')),
  description text not null,
  amount_cents bigint not null check (amount_cents > 0),
  vat_hundredths integer not null check (vat_hundredths between 0 and 10000),
  every text not null check (every in ('day', 'week', 'month', 'year')),
  times integer check (times > 0),
  paid_times integer not null check (paid_times >= 0),
  failed_times integer not null check (failed_times >= 0),
  customer_name text,
  customer_email text,
  customer_phone text,
  mandate text,
  began_at timestamptz,
  next_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  check ((status in ('active', 'past_due')) = (next_at is not null))
);
comment on table payment_subscriptions is 'Subscriptions of customers: an order for each period, paid with the method of the first.';
comment on column payment_subscriptions.status is '@type "pending" | "active" | "past_due" | "canceled" | "completed"';
comment on column payment_subscriptions.every is '@type "day" | "week" | "month" | "year"';
comment on column payment_subscriptions.failed_times is 'Failed charges of the period that is due.';
comment on column payment_subscriptions.mandate is 'With which the provider charges the customer again; null before the first payment.';
comment on column payment_subscriptions.began_at is 'When the first payment arrived, from which the periods are counted.';
comment on column payment_subscriptions.next_at is 'When the next charge is due.';
create index payment_subscriptions_due on payment_subscriptions (next_at) where next_at is not null;

alter table orders
  add column subscription_id uuid,
  add column customer_company text,
  add column customer_vat_number text,
  add column customer_address text,
  add column reverse_charge boolean not null default false;
comment on column orders.subscription_id is 'The subscription whose period it pays; null for any other order.';
comment on column orders.reverse_charge is 'Whether the customer owes the VAT, so that the invoice has none.';
create index orders_of_subscription on orders (project_id, subscription_id, created_at) where subscription_id is not null;
create index orders_of_customer on orders (project_id, customer_email, id) where customer_email is not null;
create index orders_paid on orders (project_id, test, paid_at) where paid_at is not null;

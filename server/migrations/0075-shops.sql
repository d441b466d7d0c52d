-- Shops on websites: products with stock, orders by visitors, and orders that were refused.

alter table collections add column catalogue boolean not null default false;
comment on column collections.catalogue is 'Whether visitors of websites may order its documents as products.';

create table product_stock (
  project_id uuid not null references projects (id),
  document_id uuid not null,
  reserved integer not null check (reserved >= 0),
  primary key (project_id, document_id)
);
comment on table product_stock is 'Pieces of products that unpaid orders of visitors hold. The row is the lock of the stock of its product; the stock itself is a field of the document.';

alter table orders
  add column public_token_id uuid,
  add column stock text check (stock in ('held', 'returned', 'sold'));
comment on column orders.public_token_id is 'The public token with which a visitor ordered; null for any other order.';
comment on column orders.stock is '@type "held" | "returned" | "sold"';
comment on column orders.items is '@json { name: string; quantity: number; unit_price_cents: number; vat_percent: number; amount_cents: number; vat_cents: number; product_id?: string }[]';
create index orders_of_visitors on orders (project_id, test, created_at) where public_token_id is not null;
create index orders_of_visitors_open on orders (project_id, test) where public_token_id is not null and status = 'open';

comment on column order_timeline.event is '@type "created" | "checkout_opened" | "pending" | "paid" | "failed" | "expired" | "canceled" | "refund_requested" | "refunded" | "refund_failed" | "charged_back" | "stock_short"';

create table order_refusals (
  project_id uuid not null references projects (id),
  id uuid not null,
  day date not null,
  test boolean not null,
  reason text not null,
  orders integer not null check (orders > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (project_id, id),
  -- Not led by project_id, so that checks of foreign keys use the primary key.
  unique (day, reason, project_id, test)
);
comment on table order_refusals is 'Orders of visitors that were refused, counted by day and reason, for the owner.';
comment on column order_refusals.reason is '@type "rate_limited_address" | "rate_limited_token" | "too_many_open" | "too_many_without_script" | "amount_too_high" | "failed_payments" | "challenge_failed" | "robot" | "product_unavailable" | "account_missing"';

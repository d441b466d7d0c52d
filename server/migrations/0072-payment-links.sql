-- Payment links: pages with which customers create orders themselves.

create table payment_links (
  project_id uuid not null references projects (id),
  id uuid not null,
  test boolean not null,
  description text not null,
  amount_cents bigint check (amount_cents > 0),
  vat_hundredths integer not null check (vat_hundredths between 0 and 10000),
  reusable boolean not null,
  active boolean not null,
  expires_at timestamptz,
  paid_orders integer not null check (paid_orders >= 0),
  paid_cents bigint not null check (paid_cents >= 0),
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table payment_links is 'Pages of a project on which customers pay a fixed amount, or one that they choose.';
comment on column payment_links.amount_cents is 'Null: the customer chooses the amount.';
comment on column payment_links.vat_hundredths is 'The VAT rate in hundredths of a percent.';
comment on column payment_links.active is 'False: the owner turned it off.';
comment on column payment_links.paid_orders is 'Orders by this link that were paid.';
comment on column payment_links.paid_cents is 'What they paid together, before refunds.';
create index payment_links_active on payment_links (project_id) where active;

alter table orders
  add column payment_link_id uuid,
  add constraint orders_payment_link foreign key (project_id, payment_link_id) references payment_links (project_id, id);
comment on column orders.payment_link_id is 'The payment link by which the customer created it.';
create index orders_of_link on orders (project_id, payment_link_id, created_at) where payment_link_id is not null;

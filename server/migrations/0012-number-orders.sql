-- Live numbers: offered for a while, ordered once, charged on the first of every month.

alter table numbers add column next_charge_on date;
comment on column numbers.next_charge_on is 'The first of the month that is charged next, in the billing time zone. Null: this number costs nothing.';
create index numbers_due on numbers (next_charge_on, id) where released_at is null and next_charge_on is not null;
create index numbers_pending on numbers (id) where released_at is null and status = 'pending';

create table number_orders (
  project_id uuid not null references projects (id),
  id uuid not null,
  idempotency_key text not null,
  e164 text not null,
  type text not null check (type in ('national', 'geographic')),
  from_stock boolean,
  state text not null default 'placed' check (state in ('placed', 'done', 'failed', 'lost')),
  hold_id uuid not null,
  price_micro bigint not null check (price_micro >= 0),
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table number_orders is 'Orders at the carrier, written before it is asked. The id is the reference the carrier knows it by, and that of the number it brings.';
comment on column number_orders.type is '@type "national" | "geographic"';
comment on column number_orders.state is '@type "placed" | "done" | "failed" | "lost"';
comment on column number_orders.from_stock is 'Null: not known before the carrier answered.';
-- Whoever is first has the number; nobody orders it while the outcome is open.
create unique index number_orders_open on number_orders (e164) where state = 'placed';
create index number_orders_unsettled on number_orders (id) where state in ('placed', 'lost');
create index number_orders_key on number_orders (project_id, idempotency_key, created_at);

create table number_reservations (
  e164 text primary key,
  project_id uuid not null references projects (id),
  type text not null check (type in ('national', 'geographic')),
  from_stock boolean not null,
  expires_at timestamptz not null
);
comment on table number_reservations is 'Numbers shown to a project in a search. Nobody else is shown or sold them for a while.';
comment on column number_reservations.type is '@type "national" | "geographic"';
create index number_reservations_of_project on number_reservations (project_id, expires_at);
create index number_reservations_type on number_reservations (type, expires_at);
create index number_reservations_expires_at on number_reservations (expires_at);

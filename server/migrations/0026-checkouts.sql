-- Top-ups that people pay at the payment provider, on a page of the provider.

create table billing_checkouts (
  project_id uuid not null references projects (id),
  id uuid not null,
  state text not null default 'open' check (state in ('open', 'paid', 'expired')),
  amount_micro bigint not null check (amount_micro > 0),
  saves_card boolean not null,
  checkout text not null,
  url text not null,
  made_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  primary key (project_id, id),
  constraint billing_checkouts_ended check ((state = 'open') = (ended_at is null))
);
comment on table billing_checkouts is 'A page of the payment provider on which a top-up is paid. It ends once, in the transaction that adds to the balance.';
comment on column billing_checkouts.state is '@type "open" | "paid" | "expired"';
comment on column billing_checkouts.checkout is 'The page, as the payment provider names it.';
comment on column billing_checkouts.made_by is 'The person who asked for it; they may be gone by now.';
create index billing_checkouts_open on billing_checkouts (created_at) where state = 'open';

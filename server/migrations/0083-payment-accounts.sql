-- Accounts of projects at Stripe and Mollie: credentials, and their state at the provider.

alter table payment_accounts
  add column sealed_key bytea,
  add column sealed_callback_secret bytea,
  add column state jsonb,
  add column checked_at timestamptz;
comment on column payment_accounts.sealed_key is 'The secret key at the provider, sealed; null for the built-in provider.';
comment on column payment_accounts.sealed_callback_secret is 'With which the provider signs callbacks, sealed; null if it signs none.';
comment on column payment_accounts.state is '@json { status: "pending" | "active" | "restricted"; methods: string[]; missing: string[] }';
comment on column payment_accounts.checked_at is 'When the state was last read from the provider.';
create index payment_accounts_unchecked on payment_accounts (checked_at) where sealed_key is not null;

comment on column order_timeline.event is '@type "created" | "checkout_opened" | "pending" | "paid" | "failed" | "expired" | "canceled" | "refund_requested" | "refunded" | "refund_failed" | "charged_back" | "stock_short" | "paid_twice"';

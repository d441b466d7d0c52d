-- The ledger: what each project has, has set aside and has spent, in double entry.

create table ledger_accounts (
  project_id uuid not null references projects (id),
  kind text not null check (kind in ('prepaid', 'held', 'revenue', 'funding')),
  balance_micro bigint not null default 0,
  month date not null,
  month_micro bigint not null default 0,
  primary key (project_id, kind),
  constraint ledger_accounts_not_below_zero check (kind = 'funding' or balance_micro >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
comment on table ledger_accounts is 'Running balances, kept equal to the sum of the postings. Whoever writes to the ledger of a project locks these rows first.';
comment on column ledger_accounts.kind is '@type "prepaid" | "held" | "revenue" | "funding"';

create table ledger_entries (
  project_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('top_up', 'charge', 'hold', 'settle', 'release')),
  source text not null,
  amount_micro bigint not null check (amount_micro >= 0),
  balance_after_micro bigint not null check (balance_after_micro >= 0),
  description text not null,
  quantity integer check (quantity >= 0),
  unit text,
  reference_id uuid not null,
  reference text not null,
  crossed_threshold_micro bigint,
  month date not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  constraint ledger_entries_reference unique (project_id, kind, reference)
);
comment on table ledger_entries is 'The journal, append only. A reference happens once per kind: doing it twice does nothing twice.';
comment on column ledger_entries.kind is '@type "top_up" | "charge" | "hold" | "settle" | "release"';
create index ledger_entries_transactions on ledger_entries (project_id, id desc) where kind in ('top_up', 'charge', 'settle');

create table ledger_postings (
  project_id uuid not null,
  entry_id uuid not null,
  from_account text not null check (from_account in ('prepaid', 'held', 'revenue', 'funding')),
  to_account text not null check (to_account in ('prepaid', 'held', 'revenue', 'funding')),
  amount_micro bigint not null check (amount_micro > 0),
  primary key (project_id, entry_id, from_account, to_account),
  foreign key (project_id, entry_id) references ledger_entries (project_id, id),
  check (from_account <> to_account)
);
comment on table ledger_postings is 'What leaves one account arrives in another: the sum of an entry is zero because it cannot be written otherwise.';
comment on column ledger_postings.from_account is '@type "prepaid" | "held" | "revenue" | "funding"';
comment on column ledger_postings.to_account is '@type "prepaid" | "held" | "revenue" | "funding"';

create table ledger_holds (
  project_id uuid not null,
  id uuid not null,
  amount_micro bigint not null check (amount_micro >= 0),
  state text not null default 'open' check (state in ('open', 'settled', 'released')),
  expires_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, id) references ledger_entries (project_id, id)
);
comment on table ledger_holds is 'Money set aside. The id is that of the entry which made the hold; it ends once, settled or released.';
comment on column ledger_holds.state is '@type "open" | "settled" | "released"';
create index ledger_holds_expires_at on ledger_holds (expires_at) where state = 'open';

create table billing_settings (
  project_id uuid primary key references projects (id),
  reload_enabled boolean not null,
  reload_threshold_micro bigint not null check (reload_threshold_micro >= 0),
  reload_amount_micro bigint not null check (reload_amount_micro > 0),
  reload_max_per_month integer not null check (reload_max_per_month >= 0),
  reload_disabled_reason text,
  card jsonb
);
comment on table billing_settings is 'Automatic top-up as the owner set it. A project without a row has the defaults.';
comment on column billing_settings.card is '@json { brand: string; last4: string; expiry: string } | null';

create table billing_reloads (
  project_id uuid not null,
  id uuid not null,
  state text not null check (state in ('pending', 'paid', 'failed')),
  amount_micro bigint not null check (amount_micro > 0),
  failed_reason text,
  month date not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  check ((state = 'failed') = (failed_reason is not null))
);
comment on table billing_reloads is 'Automatic top-ups that were tried, for their number in a month and for why one failed.';
comment on column billing_reloads.state is '@type "pending" | "paid" | "failed"';
create index billing_reloads_month on billing_reloads (project_id, month);

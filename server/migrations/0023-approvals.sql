-- Approvals: what an assistant or an agent wants to do and a person has to agree to first.

create table approvals (
  project_id uuid not null references projects (id),
  id uuid not null,
  operation text not null,
  scope text not null,
  effect text not null check (effect in ('deletes', 'outside', 'money')),
  about text not null,
  cost text,
  arguments json not null,
  target text,
  input_hash bytea not null,
  asked_hash bytea not null,
  source text not null check (source in ('mcp', 'agent')),
  asked_by uuid not null,
  asked_as text not null,
  mode text not null check (mode in ('live', 'test')),
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'executed', 'failed', 'rejected')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  edited_at timestamptz,
  decided_at timestamptz,
  decided_by uuid references people (id) on delete set null,
  decided_email text,
  note text,
  begun_at timestamptz,
  ended_at timestamptz,
  reply text,
  problem json,
  told_at timestamptz,
  primary key (project_id, id),
  check ((status = 'pending') = (decided_at is null)),
  check ((ended_at is null) = (status in ('pending', 'approved')))
);
comment on table approvals is 'What waits for a person, and what became of it. Only a row that is approved is carried out, and its reply is written in the transaction that makes it true.';
comment on column approvals.effect is '@type "deletes" | "outside" | "money"';
comment on column approvals.about is 'What it does, in the words of the contract.';
comment on column approvals.arguments is 'As they will be carried out; a person may have edited them.';
comment on column approvals.target is 'The site or collection it is about, for members who are limited to some; null: of the whole project.';
comment on column approvals.input_hash is 'SHA-256 of operation, arguments and cost as they are now: who decides names it, so that nobody agrees to something else than they saw.';
comment on column approvals.asked_hash is 'The same of what was asked for, without its Idempotency-Key: the same again while one waits is not another one.';
comment on column approvals.source is '@type "mcp" | "agent"';
comment on column approvals.asked_by is 'The key or connection that asked; it is judged again when this is carried out.';
comment on column approvals.asked_as is 'What that was called then.';
comment on column approvals.mode is '@type "live" | "test"';
comment on column approvals.status is '@type "pending" | "approved" | "executed" | "failed" | "rejected"';
comment on column approvals.decided_email is 'Of the person who decided; null: the time for it was over.';
comment on column approvals.begun_at is 'When something outside was begun that cannot be taken back; it is never begun again.';
comment on column approvals.reply is 'The reply of the operation as JSON text; empty where it has none.';
comment on column approvals.told_at is 'When the team was told by mail that it waits.';
create unique index approvals_same on approvals (project_id, asked_by, asked_hash) where status = 'pending';
create index approvals_pending on approvals (expires_at) where status = 'pending';
create index approvals_approved on approvals (decided_at) where status = 'approved';
create index approvals_ended on approvals (ended_at) where ended_at is not null;
create index approvals_decided_by on approvals (decided_by);

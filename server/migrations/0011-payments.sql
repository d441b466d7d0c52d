-- Automatic top-ups: the card that pays them, and each attempt with what became of it.

alter table billing_settings
  add column payment_method text,
  add column customer text,
  add constraint billing_settings_reload_disabled_reason check (reload_disabled_reason in
    ('authentication_required', 'card_declined', 'card_expired', 'card_unusable',
      'insufficient_funds', 'payment_refused')),
  add constraint billing_settings_customer check (customer is null or payment_method is not null);
comment on column billing_settings.payment_method is 'The saved card, as the payment provider names it; null while none is saved.';
comment on column billing_settings.customer is 'Whom the card belongs to, as the payment provider names them.';
comment on column billing_settings.card is '@json { brand: string; last4: string; expiry: string } | null';
comment on column billing_settings.reload_disabled_reason is '@type "authentication_required" | "card_declined" | "card_expired" | "card_unusable" | "insufficient_funds" | "payment_refused" | null';
create index billing_settings_reloads on billing_settings (project_id)
  where reload_enabled and payment_method is not null and card is not null
    and reload_disabled_reason is null;

-- Nothing has made an attempt before this: there was no payment provider.
alter table billing_reloads
  add column payment_method text not null,
  add column customer text,
  add column payment_id text,
  add column ended_at timestamptz,
  add constraint billing_reloads_ended check ((state = 'pending') = (ended_at is null)),
  add constraint billing_reloads_payment check ((state = 'paid') = (payment_id is not null)),
  add constraint billing_reloads_reason check (failed_reason in
    ('authentication_required', 'card_declined', 'card_expired', 'card_unusable',
      'insufficient_funds', 'payment_refused', 'provider_unavailable'));
comment on column billing_reloads.id is 'Also the name of the payment at the provider, so that trying again never takes it twice.';
comment on column billing_reloads.payment_method is 'The card that was asked: a later attempt asks the same one.';
comment on column billing_reloads.payment_id is 'The payment, as the provider names it.';
comment on column billing_reloads.failed_reason is '@type "authentication_required" | "card_declined" | "card_expired" | "card_unusable" | "insufficient_funds" | "payment_refused" | "provider_unavailable" | null';
create unique index billing_reloads_pending on billing_reloads (project_id) where state = 'pending';

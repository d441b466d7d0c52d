-- The language of a customer, for mails; and the refunds whose jobs died.
alter table orders add column customer_language text check (customer_language in ('en', 'nl'));
comment on column orders.customer_language is '@type "en" | "nl"';
create index order_refunds_pending on order_refunds (created_at) where status = 'pending';

-- Finds the recipient of a bounce, whose address names it without the project. Logos of sending domains.

create index email_recipients_returning on email_recipients (id) where not test and sent_at is not null;

alter table sending_domains add column bimi_logo_url text, add column bimi_vmc_url text;
comment on column sending_domains.bimi_logo_url is 'The logo for inboxes (BIMI); null without one.';
comment on column sending_domains.bimi_vmc_url is 'The certificate of the mark.';
comment on column sending_domains.results is '@json { purpose: "dkim" | "next_dkim" | "return_path" | "dmarc" | "bimi"; status: "verified" | "missing" | "invalid" | "temporary_failure"; found: string[]; message: string }[]';

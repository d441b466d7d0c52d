-- Who is behind a project: the business or the person that numbers are ordered for.

create table companies (
  project_id uuid primary key references projects (id),
  company_name text,
  kvk_number text,
  registration_number text,
  vat_number text,
  vat_status text not null,
  vat_checked_at timestamptz,
  address jsonb,
  contact jsonb,
  registrar_contact_name text,
  updated_at timestamptz not null,
  check (vat_status in ('not_required', 'unverified', 'valid', 'invalid'))
);
comment on table companies is 'The details that PUT /project/company replaces. Whether it is a business or a person is on the project, whose lock guards the switch.';
comment on column companies.vat_status is '@type "not_required" | "unverified" | "valid" | "invalid"';
comment on column companies.vat_checked_at is 'When the service that checks VAT numbers answered for this number.';
comment on column companies.address is '@json { street: string; house_number: string; postal_code: string; city: string; country: string } | null';
comment on column companies.contact is '@json { name: string; phone: string } | null';

-- Kept beside numbers_count, so that a switch to a personal account needs no count under the lock.
alter table projects add column national_numbers_count integer not null default 0
  check (national_numbers_count >= 0);
alter table projects add column national_orders_count integer not null default 0
  check (national_orders_count >= 0);
update projects set national_numbers_count = (
  select count(*) from numbers
  where numbers.project_id = projects.id and type = 'national' and released_at is null
);
comment on column projects.national_numbers_count is 'Numbers of the type national that were not released, test numbers included.';
comment on column projects.national_orders_count is 'Orders of national numbers whose outcome is open: each may still bring one.';

/** Schemas of the company of a project (specification: Company). */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { withDescription, E164, orNull, Timestamp } from '../../../contract/schema/shapes.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

const AccountType = Type.Enum(['business', 'personal'], {
  description: 'Changing it resets the levels number_documents and full to not_started.',
})

const Address = nameSchema(
  'Address',
  Type.Object(
    {
      street: text(200, 'Street, without the house number.'),
      house_number: text(20, 'House number with its suffix, such as 12-B.'),
      postal_code: text(20, 'Postal code in the format of the country.'),
      city: text(100, 'Town or city.'),
      country: Type.String({
        pattern: '^[A-Za-z]{2}$',
        description:
          'ISO 3166-1 alpha-2 country code; upper case in replies. RU, BY, KP, IR, SY ' +
          'and CU are refused.',
        examples: ['NL'],
      }),
    },
    { additionalProperties: false },
  ),
)
export type CompanyAddress = Static<typeof Address>

const Contact = nameSchema(
  'Contact',
  Type.Object(
    {
      name: text(200, 'Contact person of the company; for a personal account, the account holder.'),
      phone: withDescription(E164, 'Phone number of this person.'),
    },
    { additionalProperties: false },
  ),
)
export type CompanyContact = Static<typeof Contact>

const fields = {
  company_name: orNull(
    Type.String({ minLength: 1, maxLength: 200, examples: ['Bakery De Molen'] }),
    'Required for a business.',
  ),
  kvk_number: orNull(
    Type.String({ pattern: '^[0-9]{8}$', examples: ['12345678'] }),
    'Register number of a business in the Netherlands: eight digits.',
  ),
  registration_number: orNull(
    Type.String({
      minLength: 1,
      maxLength: 60,
      examples: ['HRB 12345'],
    }),
    'Register number of a business outside the Netherlands.',
  ),
  vat_number: orNull(
    Type.String({ minLength: 1, maxLength: 40, examples: ['NL123456782B90'] }),
    'VAT number with country prefix; spaces, dots and dashes are removed. An EU number ' +
      'is validated before anything is saved.',
  ),
  address: orNull(Address, 'Required before a number can be ordered.'),
  contact: orNull(Contact, 'Required before a number can be ordered.'),
  registrar_contact_name: orNull(
    Type.String({ minLength: 1, maxLength: 200, examples: ['Anna de Vries'] }),
    'Name of the person for whom domains are registered.',
  ),
}

const exampleDetails = {
  account_type: 'business',
  company_name: 'Bakery De Molen',
  kvk_number: '12345678',
  registration_number: null,
  vat_number: 'NL123456782B90',
  address: {
    street: 'Molenstraat',
    house_number: '12',
    postal_code: '1012 AB',
    city: 'Amsterdam',
    country: 'NL',
  },
  contact: { name: 'Anna de Vries', phone: '+31612345678' },
  registrar_contact_name: null,
}

const readOnly = () => Type.Optional(Type.Unknown({ description: 'Read-only: ignored.' }))

/** Read-only fields are accepted and ignored, so that a client can send back what GET returned. */
const ignored = {
  vat_status: readOnly(),
  vat_checked_at: readOnly(),
  complete: readOnly(),
  missing: readOnly(),
  domain_contacts: readOnly(),
}

export const CompanyInput = Type.Object(
  { account_type: AccountType, ...Type.Partial(Type.Object(fields)).properties, ...ignored },
  {
    additionalProperties: false,
    description:
      'All company details. Omitted fields become null, except registrar_contact_name, ' +
      'which keeps its value. vat_status, vat_checked_at, complete, missing and ' +
      'domain_contacts are accepted and ignored.',
    examples: [exampleDetails],
  },
)
export type CompanyInput = Static<typeof CompanyInput>

const missingDetails = [
  'company_name',
  'kvk_number',
  'registration_number',
  'address',
  'contact',
] as const
export type MissingDetail = (typeof missingDetails)[number]

const DomainContact = Type.Object({
  status: Type.Enum(['updated', 'unchanged', 'skipped', 'failed'], {
    description: 'Result at the registry.',
  }),
  reason: orNull(Type.String(), 'Why the update was skipped or failed.'),
})

export const Company = nameSchema(
  'Company',
  Type.Object(
    {
      account_type: AccountType,
      ...fields,
      vat_status: Type.Enum(['not_required', 'unverified', 'valid', 'invalid'], {
        description:
          'not_required: no number, or not from the EU. unverified: the EU validation ' +
          'service did not answer yet and will be asked again. valid: confirmed by it. ' +
          'invalid: rejected by it after the number was saved as unverified.',
      }),
      vat_checked_at: orNull(
        Timestamp,
        'When the EU validation service answered; null if it did not.',
      ),
      complete: Type.Boolean({ description: 'Whether all required fields are filled in.' }),
      missing: Type.Array(Type.Enum(missingDetails), {
        description: 'Fields that are required before a live number can be ordered.',
      }),
      domain_contacts: Type.Record(Type.String(), DomainContact, {
        description:
          'Result of updating the registry contact of each domain, by domain name. ' +
          'Empty if no registry was contacted.',
      }),
    },
    {
      examples: [
        {
          ...exampleDetails,
          vat_status: 'valid',
          vat_checked_at: '2026-11-23T09:30:00.000Z',
          complete: true,
          missing: [],
          domain_contacts: { 'bakery.example': { status: 'updated', reason: null } },
        },
      ],
    },
  ),
)
export type Company = Static<typeof Company>

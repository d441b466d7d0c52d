/** Schemas of the company of a project (specification: Company). */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import { about, E164, orNull, Timestamp } from '../../contract/shapes.ts'

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description })

const AccountType = Type.Enum(['business', 'personal'], {
  description: 'A switch resets the levels number_documents and full to not_started.',
})

const Address = named(
  'Address',
  Type.Object(
    {
      street: text(200, 'Without the house number.'),
      house_number: text(20, 'With what is added to it, such as 12-B.'),
      postal_code: text(20, 'As it is written in the country.'),
      city: text(100, 'Town or city.'),
      country: Type.String({
        pattern: '^[A-Za-z]{2}$',
        description:
          'Two letters of ISO 3166-1, answered in capitals. RU, BY, KP, IR, SY and CU are not served.',
        examples: ['NL'],
      }),
    },
    { additionalProperties: false },
  ),
)
export type CompanyAddress = Static<typeof Address>

const Contact = named(
  'Contact',
  Type.Object(
    {
      name: text(200, 'Who speaks for the company; for a personal account, the user.'),
      phone: about(E164, 'The number to call this person at.'),
    },
    { additionalProperties: false },
  ),
)
export type CompanyContact = Static<typeof Contact>

const fields = {
  company_name: orNull(
    Type.String({ minLength: 1, maxLength: 200, examples: ['Bakery De Molen'] }),
    'Needed by a business.',
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
    'Register number of a business anywhere else.',
  ),
  vat_number: orNull(
    Type.String({ minLength: 1, maxLength: 40, examples: ['NL123456782B90'] }),
    'With the letters of the country in front; blanks, dots and dashes are taken out. In the EU ' +
      'it is checked before anything is saved.',
  ),
  address: orNull(Address, 'Needed by everybody before a number can be ordered.'),
  contact: orNull(Contact, 'Needed by everybody before a number can be ordered.'),
  registrar_contact_name: orNull(
    Type.String({ minLength: 1, maxLength: 200, examples: ['Anna de Vries'] }),
    'Who domains are registered for.',
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
      'The whole company: what is left out becomes null, except registrar_contact_name, which ' +
      'keeps its saved value. vat_status, vat_checked_at, complete, missing and domain_contacts ' +
      'are accepted and ignored.',
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
    description: 'What the registry did.',
  }),
  reason: orNull(Type.String(), 'Why it was skipped or failed.'),
})

export const Company = named(
  'Company',
  Type.Object(
    {
      account_type: AccountType,
      ...fields,
      vat_status: Type.Enum(['not_required', 'unverified', 'valid', 'invalid'], {
        description:
          'not_required: there is no number, or it is from outside the EU. unverified: the service ' +
          'of the EU has not answered yet and is asked again. valid: it said so. invalid: it said ' +
          'so after the number had been saved as unverified.',
      }),
      vat_checked_at: orNull(Timestamp, 'When the service answered; null unless it did.'),
      complete: Type.Boolean({ description: 'Whether nothing is missing.' }),
      missing: Type.Array(Type.Enum(missingDetails), {
        description: 'What is still needed before a live number can be ordered.',
      }),
      domain_contacts: Type.Record(Type.String(), DomainContact, {
        description:
          'What became of the registry contact of each domain in this change, by domain. Empty ' +
          'when nothing was sent to a registry.',
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

/** Shapes of sending domains in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

export const DomainInput = Type.Object(
  {
    domain: Type.String({
      minLength: 4,
      maxLength: 253,
      description: 'The domain of the sender addresses, without http and paths.',
      examples: ['bakery.example'],
    }),
    dedicated_ip: Type.Optional(
      Type.Boolean({
        description:
          'true: its emails leave from an IP address of the project alone. This server has none to give.',
        examples: [false],
      }),
    ),
  },
  { additionalProperties: false },
)
export type DomainInput = Static<typeof DomainInput>

const https = (description: string, example: string) =>
  Type.String({ maxLength: 1000, pattern: '^https?://', description, examples: [example] })

export const BimiInput = Type.Object(
  {
    logo_url: https(
      'Public https address of the logo: SVG Tiny Portable/Secure, square, at most 32 kB.',
      'https://bakery.example/logo.svg',
    ),
    vmc_url: Type.Optional(
      orNull(
        https('Address of the certificate.', 'https://bakery.example/logo.pem'),
        'Address of the certificate of the mark (VMC or CMC), which Gmail asks for; null: none.',
      ),
    ),
  },
  { additionalProperties: false },
)
export type BimiInput = Static<typeof BimiInput>

export const DomainId = Type.Object({ id: withDescription(Uuid, 'Id of the sending domain.') })

const DomainRecord = Type.Object({
  purpose: Type.Enum(['dkim', 'return_path', 'dmarc', 'bimi'], {
    description:
      'dkim: signs emails; return_path: receives bounces; dmarc: tells mailbox providers what to do ' +
      'with forged emails; bimi: names the logo for inboxes.',
  }),
  type: Type.Enum(['TXT', 'CNAME'], { description: 'Type of the DNS record.' }),
  name: Type.String({
    description: 'Full name of the record.',
    examples: ['hp7f3a91c2._domainkey.bakery.example'],
  }),
  value: Type.String({
    description: 'Value of the record.',
    examples: ['v=DKIM1; k=rsa; p=MIIB…'],
  }),
  ttl: Type.Integer({ description: 'Suggested time to live, in seconds.', examples: [3600] }),
  priority: orNull(Type.Integer(), 'Only of MX records; null.'),
  required: Type.Boolean({ description: 'Whether the domain needs it to be verified.' }),
  status: Type.Enum(['pending', 'verified', 'missing', 'invalid', 'temporary_failure'], {
    description:
      'pending: not checked yet. temporary_failure: the name servers did not answer, so nothing is known.',
  }),
  found: Type.Array(Type.String(), {
    description: 'Values that the DNS has now.',
    examples: [['v=DMARC1; p=none']],
  }),
  message: Type.String({
    description: 'The result of the last check, in a sentence.',
    examples: ['The record is right.'],
  }),
})

export const SendingDomain = nameSchema(
  'SendingDomain',
  Type.Object({
    id: Uuid,
    domain: Type.String({ description: 'The domain.', examples: ['bakery.example'] }),
    status: Type.Enum(['pending', 'verified', 'temporary_failure', 'failed'], {
      description:
        'verified: emails can be sent. temporary_failure: a record is missing for less than 72 hours or ' +
        'the name servers do not answer; emails are still sent. failed: a required record is missing.',
    }),
    return_path_host: Type.String({
      description: 'Host to which bounces are sent.',
      examples: ['bounce.bakery.example'],
    }),
    dkim: Type.Object(
      {
        selector: Type.String({
          description: 'Selector of the key that signs.',
          examples: ['hp7f3a91c2'],
        }),
        next_selector: orNull(
          Type.String({ examples: ['hp0b4c7d21e9'] }),
          'Selector of the next key, which signs once its record is visible; null without one.',
        ),
      },
      { description: 'The keys that sign emails.' },
    ),
    dmarc: Type.Object(
      {
        policy: orNull(
          Type.String({ examples: ['none'] }),
          'Policy for the domain; null without a record.',
        ),
        pct: orNull(
          Type.Integer({ examples: [100] }),
          'Share of emails it applies to; null if not stated.',
        ),
        sp: orNull(
          Type.String({ examples: ['none'] }),
          'Policy for subdomains; null if not stated.',
        ),
      },
      { description: 'The DMARC record of the domain.' },
    ),
    bimi: orNull(
      Type.Object({
        logo_url: Type.String({
          description: 'Address of the logo.',
          examples: ['https://bakery.example/logo.svg'],
        }),
        vmc_url: orNull(
          Type.String({ examples: ['https://bakery.example/logo.pem'] }),
          'Address of the certificate of the mark; null without one.',
        ),
        gmail_ready: Type.Boolean({
          description: 'Whether there is a certificate, without which Gmail shows no logo.',
        }),
      }),
      'The logo for inboxes (BIMI); null without one.',
    ),
    records: Type.Array(DomainRecord, { description: 'The DNS records that the domain needs.' }),
    verified_at: orNull(Timestamp, 'When the domain was verified; null before.'),
    last_checked_at: orNull(Timestamp, 'Time of the last check; null before the first.'),
    created_at: Timestamp,
    test: Type.Boolean({
      description: 'Whether it was added in test mode. It works in both modes.',
    }),
  }),
)
export type SendingDomain = Static<typeof SendingDomain>

export const SendingDomainPage = PageReply(SendingDomain)
export type SendingDomainPage = Static<typeof SendingDomainPage>

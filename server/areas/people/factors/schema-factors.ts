/** Schemas of passkeys, authenticator apps and recovery codes in the portal's API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { withDescription, Timestamp, Uuid } from '../../../contract/schema/shapes.ts'

/** The length in JSON of the largest response that a browser sends. */
const RESPONSE_CHARACTERS_MAX = 30_000

const Name = Type.String({
  minLength: 1,
  maxLength: limits.passkey_name_characters_max,
  description: 'A name by which you recognize the passkey.',
  examples: ['My phone'],
})

export const Passkey = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the passkey.'),
    name: Name,
    synced: Type.Boolean({
      description: 'Whether it is on several devices of yours; otherwise on one device.',
    }),
    created_at: withDescription(Timestamp, 'When it was added.'),
    used_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When it was last used; null if never.',
      examples: [null],
    }),
  },
  { title: 'A passkey' },
)
export type Passkey = Static<typeof Passkey>

export const Passkeys = Type.Object({
  data: Type.Array(Passkey, { description: 'Your passkeys, oldest first.' }),
  available: Type.Boolean({
    description:
      'Whether the address of this installation allows passkeys: they need https and a host name.',
  }),
})

export const PasskeyQuestion = Type.Object({
  origin: Type.String({
    description: 'The only origin at which a browser can answer.',
    examples: ['https://home.example'],
  }),
  options: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Options of WebAuthn, as JSON.',
    examples: [{ challenge: 'V2l0aG91dCBhIHBhc3N3b3Jk' }],
  }),
})

export const ConfirmationWays = Type.Object({
  password: Type.Boolean({ description: 'Whether you have a password.' }),
  mail_code: Type.Boolean({ description: 'Whether this installation can mail you a code.' }),
  passkey: Type.Union([PasskeyQuestion, Type.Null()], {
    description: 'The question that one of your passkeys answers; null: you have none.',
    examples: [null],
  }),
  mail_url: Type.Union([Type.String(), Type.Null()], {
    description: 'The page with the mails of an installation that sends none; otherwise null.',
    examples: [null],
  }),
})
export type ConfirmationWays = Static<typeof ConfirmationWays>

export const NewPasskey = Type.Object(
  {
    name: Name,
    response: Type.String({
      maxLength: RESPONSE_CHARACTERS_MAX,
      description: 'The credential that the browser created, as JSON (RegistrationResponseJSON).',
      examples: ['{"id":"AQIDBA","type":"public-key"}'],
    }),
  },
  { additionalProperties: false },
)

export const PasskeyName = Type.Object({ name: Name }, { additionalProperties: false })

export const PasskeyParams = Type.Object({
  passkey_id: withDescription(Uuid, 'Id of the passkey.'),
})

export const TotpSetup = Type.Object({
  secret: Type.String({
    description: 'The secret to type into the app, in Base32.',
    examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
  }),
  url: Type.String({
    description: 'The secret as an otpauth URL, as authenticator apps read it.',
    examples: [
      'otpauth://totp/Homeport:anna%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Homeport',
    ],
  }),
  qr: Type.String({
    description: 'The URL as a QR code: a data URL of an SVG picture.',
    examples: ['data:image/svg+xml;base64,PHN2Zy8+'],
  }),
  sealed: Type.String({
    description: 'The encrypted secret, to be sent back with the first code of the app.',
    examples: ['AQF0c2VhbGVk'],
  }),
})

export const TotpCode = Type.Object(
  {
    sealed: Type.String({
      maxLength: 500,
      description: '`sealed` of the set-up.',
      examples: ['AQF0c2VhbGVk'],
    }),
    code: Type.String({
      maxLength: 20,
      description: 'The code that the app shows now.',
      examples: ['123456'],
    }),
  },
  { additionalProperties: false },
)

export const RecoveryCodes = Type.Object({
  recovery_codes: Type.Array(Type.String({ examples: ['k3h7d-9wq2m'] }), {
    description: 'Each replaces the authenticator app once. They are in this reply only.',
  }),
})

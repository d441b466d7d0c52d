/** The outside services that get personal data in this installation, and what each gets. */
import type { Config } from '../../kernel/config/config-types.ts'

export const purposes = [
  'model',
  'phone',
  'mail',
  'payments',
  'vat',
  'register',
  'challenge',
  'storage',
] as const
export type Purpose = (typeof purposes)[number]

export interface Recipient {
  purpose: Purpose
  provider: string
  gets: string
}

const gets: Readonly<Record<Purpose, string>> = {
  model: 'What callers and visitors say or write to the assistant, and what it may answer from.',
  phone: 'Numbers of callers and called numbers, and the sound of calls.',
  mail: 'Addresses and contents of the mails that are sent to your team.',
  payments: 'Name, address and card of the person who pays.',
  vat: 'The VAT number of the business.',
  register: 'The number of the business in the business register.',
  challenge: 'The address of chat visitors, to tell people from programs.',
  storage: 'Files and pictures of the project.',
}

/** Services that run in this process, or are off, get nothing. */
const inside: ReadonlySet<string> = new Set([
  'altcha',
  'builtin',
  'disk',
  'log',
  'none',
  'simulator',
])

export function listRecipients(config: Config): Recipient[] {
  const providers: Readonly<Record<Purpose, string>> = {
    model: config.model.provider,
    phone: config.carrier.provider,
    mail: config.mail.provider,
    payments: config.payments.provider,
    vat: config.vat.provider,
    register: config.register.provider,
    challenge: config.challenge.provider,
    storage: config.blobs.address.startsWith('s3:') ? 's3' : 'disk',
  }
  return purposes
    .map((purpose) => ({ purpose, provider: providers[purpose], gets: gets[purpose] }))
    .filter(({ provider }) => !inside.has(provider))
}

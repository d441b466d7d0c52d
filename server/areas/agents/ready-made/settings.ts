/** The settings of ready-made agents: what a person fills in, such as the sender address. */
import { Problem } from '../../../contract/errors.ts'
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'

export const settingKinds = ['email', 'collection', 'site', 'field', 'number'] as const
export type SettingKind = (typeof settingKinds)[number]

interface SettingEntry {
  kind: SettingKind
  name: Readonly<Record<MailLanguage, string>>
  /** The default; null for a required setting. */
  value: string | number | null
  /** A valid value. */
  example: string | number
  /** Set for a number of pieces: whole, and at least this. */
  pieces_min?: number
}

export const settings = {
  from: {
    kind: 'email',
    name: { en: 'Sender address', nl: 'Afzenderadres' },
    value: null,
    example: 'orders@bakery.example',
  },
  supplier: {
    kind: 'email',
    name: { en: 'Address of the supplier', nl: 'Adres van de leverancier' },
    value: null,
    example: 'supplier@flour.example',
  },
  collection: {
    kind: 'collection',
    name: { en: 'Collection', nl: 'Collectie' },
    value: null,
    example: 'contact',
  },
  amount_field: {
    kind: 'field',
    name: { en: 'Field with the amount in stock', nl: 'Veld met het aantal op voorraad' },
    value: 'stock',
    example: 'stock',
  },
  name_field: {
    kind: 'field',
    name: { en: 'Field with the name of the product', nl: 'Veld met de naam van het product' },
    value: 'name',
    example: 'name',
  },
  minimum: {
    kind: 'number',
    name: { en: 'Order when there is less than', nl: 'Bestellen als er minder is dan' },
    value: 5,
    example: 5,
  },
  order_amount: {
    kind: 'number',
    name: { en: 'Pieces to order of each', nl: 'Aantal te bestellen van elk' },
    value: 10,
    example: 10,
    pieces_min: 1,
  },
  site: {
    kind: 'site',
    name: { en: 'Site', nl: 'Site' },
    value: null,
    example: '0199c2f0-7c3e-7a4e-8d4f-2b1f0c9d8e7a',
  },
} as const satisfies Record<string, SettingEntry>

export type SettingName = keyof typeof settings
export type SettingValues = Readonly<Record<SettingName, string | number>>

const patterns: Readonly<Record<Exclude<SettingKind, 'number'>, RegExp>> = {
  email: /^[^\s@{}]+@[^\s@{}]+$/,
  collection: /^[^\s{}]+$/,
  site: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  field: /^[A-Za-z_]\w*$/,
}

/**
 * Returns the given values with defaults for absent ones. Settings not in `names`, which the template
 * does not read, have their examples. Throws validation_failed.
 */
export function readSettings(
  names: readonly SettingName[],
  given: Readonly<Record<string, string | number>>,
): SettingValues {
  const faults = Object.keys(given)
    .filter((name) => !names.some((known) => known === name))
    .map((name) => ({ path: `/settings/${name}`, message: 'is no setting of this agent' }))
  const values: Record<string, string | number> = exampleValues()
  for (const name of names) {
    const { kind, value, pieces_min }: SettingEntry = settings[name]
    const found = given[name] ?? value
    if (found === null) faults.push({ path: `/settings/${name}`, message: 'is missing' })
    else if (!isValid(kind, found))
      faults.push({ path: `/settings/${name}`, message: `is not a valid ${kind}` })
    else if (pieces_min !== undefined && !(Number.isInteger(found) && Number(found) >= pieces_min))
      faults.push({
        path: `/settings/${name}`,
        message: `must be a whole number of at least ${pieces_min}`,
      })
    else values[name] = found
  }
  if (faults.length === 0) return values as SettingValues
  const [first] = faults
  const detail = `The settings are not valid: ${first!.path} ${first!.message}.`
  throw new Problem('validation_failed', detail, { errors: faults })
}

/** Valid values of all settings. */
export function exampleValues(): SettingValues {
  const entries = Object.entries(settings).map(([name, { example }]) => [name, example])
  return Object.fromEntries(entries)
}

function isValid(kind: SettingKind, value: string | number): boolean {
  if (kind === 'number') return typeof value === 'number'
  return typeof value === 'string' && patterns[kind].test(value)
}

/** The brands whose sign-in pages are imitated most, read from brands.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

const Brand = Type.Object(
  {
    name: Type.String(),
    /** Unambiguous names. */
    names: Type.Array(Type.String()),
    /** Names that are also ordinary words or names of others: they count only with a second sign. */
    common: Type.Optional(Type.Array(Type.String())),
    domains: Type.Array(Type.String()),
    /**
     * The text of a link that shows one of the domains must lead there: money, mailboxes and
     * government. Shops are left out, because partners link to them through counters.
     */
    shown: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
)
export type Brand = Readonly<Static<typeof Brand>>

const text = readFileSync(join(import.meta.dirname, 'brands.json'), 'utf8')
const groups = Value.Parse(Type.Record(Type.String(), Type.Array(Brand)), JSON.parse(text))

export const brands: readonly Brand[] = Object.values(groups).flat()

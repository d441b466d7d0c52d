/** The brands whose sign-in pages are imitated most: the data of brands.json. */
import groups from './brands.json' with { type: 'json' }

export interface Brand {
  readonly name: string
  /** Unambiguous names. */
  readonly names: readonly string[]
  /** Names that are also ordinary words or names of others: they count only with a second sign. */
  readonly common?: readonly string[]
  readonly domains: readonly string[]
  /**
   * Whether a link whose text shows one of the domains must lead there: money, mailboxes and
   * government. Shops are left out, because partners link to them through counters.
   */
  readonly shown?: boolean
}

export const brands: readonly Brand[] = Object.values(groups).flat()

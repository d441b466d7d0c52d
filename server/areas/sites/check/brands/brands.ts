/** The most imitated brands, read from brands.json. */
import groups from './brands.json' with { type: 'json' }

export interface Brand {
  readonly name: string
  /** Names that only the brand uses. */
  readonly names: readonly string[]
  /** Names that are also ordinary words: they count only together with a second sign. */
  readonly common?: readonly string[]
  readonly domains: readonly string[]
  /**
   * Whether a link whose text shows one of the domains must lead there: money, mailboxes and
   * government. Shops are excluded, because their partners link through click counters.
   */
  readonly shown?: boolean
}

export const brands: readonly Brand[] = Object.values(groups).flat()

/** An entry of the list of priced items. */
export interface PriceEntry {
  readonly unit: string
  readonly about: string
  /** The default price in euro without VAT. */
  readonly price_eur: number
}

/** Reads a product from a document of a catalogue, or says why the document cannot be sold. Pure. */
import { limits } from '../../../contract/limits.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import { centsFromEuro, hundredthsFromPercent } from '../orders/amounts.ts'

export interface Product {
  id: string
  name: string
  price_cents: number
  vat_percent: number
  /** Pieces in stock; null if they are not counted. */
  stock: number | null
  /** Id of a media file; null without a picture. */
  picture: string | null
}

export interface ProductFault {
  field: 'name' | 'price_eur' | 'vat_percent' | 'stock' | 'picture'
  message: string
}

export type ProductReading = { product: Product } | { faults: ProductFault[] }

const NAME_CHARACTERS_MAX = 200
const STOCK_MAX = 1_000_000_000

export function readProduct({ id, data }: { id: string; data: unknown }): ProductReading {
  const fields: Readonly<Record<string, unknown>> = Object(data)
  const { name, price_eur, vat_percent, stock = null, picture = null } = fields
  const faults: ProductFault[] = []
  const check = (field: ProductFault['field'], message: string | null) => {
    if (message !== null) faults.push({ field, message })
  }
  check('name', nameFault(name))
  check('price_eur', priceFault(price_eur))
  check('vat_percent', vatFault(vat_percent))
  check('stock', stockFault(stock))
  const is_media = picture === null || (typeof picture === 'string' && isUuid(picture))
  check('picture', is_media ? null : 'must be the id of a picture in the media library')
  if (faults.length > 0) return { faults }
  return {
    product: {
      id,
      name: String(name).trim(),
      price_cents: centsFromEuro(Number(price_eur)) ?? 0,
      vat_percent: Number(vat_percent),
      stock: stock === null ? null : Number(stock),
      picture: picture === null ? null : String(picture),
    },
  }
}

function nameFault(value: unknown): string | null {
  if (value === undefined || value === null) return 'is missing'
  if (typeof value !== 'string' || value.trim() === '') return 'must be a text'
  if (value.trim().length <= NAME_CHARACTERS_MAX) return null
  return `must have at most ${NAME_CHARACTERS_MAX} characters`
}

function priceFault(value: unknown): string | null {
  const fault = numberFault(value, { example: '4.5', max: limits.order_amount_eur_max })
  if (fault !== null) return fault
  return centsFromEuro(Number(value)) === null ? 'must be in whole cents' : null
}

function vatFault(value: unknown): string | null {
  const fault = numberFault(value, { example: '21', max: 100 })
  if (fault !== null) return fault
  return hundredthsFromPercent(Number(value)) === null ? 'must have at most two decimals' : null
}

function stockFault(value: unknown): string | null {
  if (value === null) return null
  const fault = numberFault(value, { example: '12', max: STOCK_MAX })
  if (fault !== null) return fault
  return Number.isInteger(value) ? null : 'must be a whole number of pieces'
}

function numberFault(
  value: unknown,
  { example, max }: { example: string; max: number },
): string | null {
  if (value === undefined || value === null) return 'is missing'
  if (typeof value === 'string') return `must be a number such as ${example}, without quotes`
  if (typeof value !== 'number') return `must be a number such as ${example}`
  if (value < 0) return 'must not be below 0'
  return value > max ? `must be at most ${max}` : null
}

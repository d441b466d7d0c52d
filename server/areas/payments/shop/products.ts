/** Lists the products of a project, for its owner and for websites. */
import type { Caller } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import * as data from '../../data/service.ts'
import * as media from '../../media/service.ts'
import { euroFromCents } from '../orders/amounts.ts'
import { readProduct, type ProductFault } from './product.ts'
import type {
  Product,
  ProductPage,
  ProductsQuery,
  PublicProducts,
  PublicProductsQuery,
} from './shop-schema.ts'
import { listReserved } from './stock-store.ts'

export async function listProducts(caller: Caller, query: ProductsQuery): Promise<ProductPage> {
  const { project, db } = caller
  const { collection = null, limit, cursor } = query
  const page = await readPage(caller, {
    // A cursor is valid for the same filter only.
    list: collection === null ? 'products' : `products ${collection}`,
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      data.listProductDocuments(db, { project_id: project.id, collection, count, after }),
  })
  const ids = page.data.map(({ id }) => id)
  const picture_ids = page.data.flatMap(({ data: fields }) => pictureOf(fields) ?? [])
  const [reserved, found] = await Promise.all([
    listReserved(db, project.id, ids),
    picture_ids.length === 0 ? [] : media.findMedia(db, project.id, picture_ids),
  ])
  const pictures = new Set(found.filter(isPicture).map(({ id }) => id))
  const show = (document: data.ProductDocument) =>
    present(document, { reserved: reserved.get(document.id) ?? 0, pictures })
  return { data: page.data.map(show), next_cursor: page.next_cursor }
}

function pictureOf(fields: unknown): string | null {
  const read = readProduct({ id: '', data: fields })
  return 'product' in read ? (read.product.picture?.toLowerCase() ?? null) : null
}

function isPicture({ content_type }: media.FoundMedia): boolean {
  return content_type.startsWith('image/')
}

interface ProductContext {
  reserved: number
  /** Ids of the pictures that are in the media library. */
  pictures: ReadonlySet<string>
}

function present(document: data.ProductDocument, { reserved, pictures }: ProductContext): Product {
  const { id, collection } = document
  const read = readProduct(document)
  if ('faults' in read) {
    const { name } = Object(document.data)
    const unknown = { price_eur: null, vat_percent: null, stock: null, picture: null }
    const { faults } = read
    const text = typeof name === 'string' ? name.slice(0, 200) : null
    return { id, collection, can_be_sold: false, faults, name: text, reserved, ...unknown }
  }
  const { name, price_cents, vat_percent, stock, picture } = read.product
  const is_missing = picture !== null && !pictures.has(picture.toLowerCase())
  const message = 'is not a picture in the media library, so it is not shown'
  const faults: ProductFault[] = is_missing ? [{ field: 'picture', message }] : []
  return {
    id,
    collection,
    can_be_sold: true,
    faults,
    name,
    price_eur: euroFromCents(price_cents),
    vat_percent,
    stock,
    reserved,
    picture: is_missing ? null : picture,
  }
}

/** Names, prices and availability for the cart of a page. Leaves out products that cannot be sold. */
export async function showPublicProducts(
  { db, project }: GuestCaller,
  { ids }: PublicProductsQuery,
): Promise<PublicProducts> {
  const wanted = [...new Set(ids.toLowerCase().split(','))].filter(isUuid)
  const documents = await data.findProductDocuments(db, project.id, wanted)
  const reserved = await listReserved(db, project.id, wanted)
  return {
    data: documents.flatMap((document) => {
      const read = readProduct(document)
      if ('faults' in read) return []
      const { id, name, price_cents, stock } = read.product
      const left = stock === null ? Infinity : Math.max(0, stock - (reserved.get(id) ?? 0))
      return {
        id,
        name,
        price_eur: euroFromCents(price_cents),
        left: Math.min(left, limits.shop_item_quantity_max),
      }
    }),
  }
}

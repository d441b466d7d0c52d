/** The products of a collection, with their stock and what is wrong with their fields. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ImageOff, ShoppingBasket } from 'lucide-react'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { thumbnailsQuery } from '../../media/queries.ts'
import type { Collection } from '../queries.ts'
import { productsQuery, type Product } from './shop-requests.ts'
import { useShopTexts } from './shop-texts.ts'

export function ProductList({ collection }: { collection: Collection }) {
  const t = useShopTexts()
  const query = useInfiniteQuery(productsQuery(useProjectScope(), collection.name))
  const empty = (
    <EmptyState
      icon={<ShoppingBasket aria-hidden="true" />}
      title={t('none')}
      about={t('none_about')}
    />
  )
  return (
    <InfiniteList query={query} more={t('more')} empty={empty}>
      {(rows) => <Rows rows={rows} />}
    </InfiniteList>
  )
}

const PICTURES_MAX = 60

function Rows({ rows }: { rows: readonly Product[] }) {
  const t = useShopTexts()
  const scope = useProjectScope()
  const ids = rows.flatMap(({ picture }) => picture ?? []).slice(0, PICTURES_MAX)
  const { data } = useQuery({ ...thumbnailsQuery(scope, ids), enabled: ids.length > 0 })
  return (
    <ul className="divide-y divide-line border-t border-line" aria-label={t('products')}>
      {rows.map((product) => (
        <Row
          key={product.id}
          product={product}
          picture={product.picture === null ? undefined : data?.get(product.picture)?.url}
        />
      ))}
    </ul>
  )
}

function Row({ product, picture }: { product: Product; picture: string | undefined }) {
  const t = useShopTexts()
  const format = useFormat()
  const language = useLanguage()
  const { name, price_eur, can_be_sold, faults } = product
  return (
    <li className="flex gap-3 px-5 py-3">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-lg border border-line bg-bg text-faint">
        {picture === undefined ? (
          <ImageOff aria-hidden="true" className="size-5" />
        ) : (
          <img src={picture} alt="" className="size-full object-cover" />
        )}
      </span>
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{name ?? product.id}</p>
        {can_be_sold ? (
          <p className="text-sm text-muted">
            <Stock product={product} />
          </p>
        ) : (
          <Badge tone="warn">{t('not_for_sale')}</Badge>
        )}
        {faults.length > 0 && (
          <ul className="text-sm text-muted">
            {faults.map(({ field, message }) => (
              <li key={field}>
                <code className="font-mono">{field}</code> {translateMessage(message, language)}
              </li>
            ))}
          </ul>
        )}
      </div>
      {price_eur !== null && <span className="tabular-nums">{format.euro(price_eur)}</span>}
    </li>
  )
}

function Stock({ product: { stock, reserved } }: { product: Product }) {
  const t = useShopTexts()
  const held = reserved > 0 ? ` · ${t('held', { reserved })}` : ''
  if (stock === null) return t('not_counted') + held
  const text = stock - reserved > 0 ? t('in_stock', { stock }) : t('sold_out')
  return text + held
}

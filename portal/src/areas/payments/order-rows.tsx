/** The orders of a customer or a subscription, in a drawer. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { ordersQuery, type OrderFilter } from './queries.ts'
import { usePaymentTexts } from './texts.ts'
import { tones } from './tones.ts'

export interface OrderRowsProps {
  filter: OrderFilter
  onOpen(id: string): void
}

export function OrderRows({ filter, onOpen }: OrderRowsProps) {
  const t = usePaymentTexts()
  const format = useFormat()
  const query = useInfiniteQuery(ordersQuery(useProjectScope(), filter))
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('orders')}</h3>
      <InfiniteList
        query={query}
        more={t('more')}
        empty={<p className="text-muted">{t('no_orders')}</p>}
      >
        {(rows) => (
          <ul className="divide-y divide-line border-y border-line" aria-label={t('orders')}>
            {rows.map(({ id, number, status, amount_eur, created_at }) => (
              <li key={id} className="flex items-center gap-3 py-2">
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="font-medium tabular-nums whitespace-nowrap hover:text-accent"
                >
                  {t('order', { number })}
                </button>
                <Badge tone={tones[status]}>{t(status)}</Badge>
                <span className="flex-1 text-right text-muted max-sm:hidden">
                  <Moment at={created_at} />
                </span>
                <span className="tabular-nums max-sm:flex-1 max-sm:text-right sm:w-24 sm:text-right">
                  {format.euro(amount_eur)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </InfiniteList>
    </section>
  )
}

/** The subscriptions of a customer, in a drawer; nothing if there is none. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import {
  subscriptionsQuery,
  subscriptionTones,
  type SubscriptionFilter,
} from './subscription-queries.ts'
import { useSubscriptionTexts } from './subscription-texts.ts'

export interface SubscriptionRowsProps {
  filter: SubscriptionFilter
  onOpen(id: string): void
}

export function SubscriptionRows({ filter, onOpen }: SubscriptionRowsProps) {
  const t = useSubscriptionTexts()
  const format = useFormat()
  const query = useInfiniteQuery(subscriptionsQuery(useProjectScope(), filter))
  if (query.data?.pages.every(({ data }) => data.length === 0) === true) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('subscriptions')}</h3>
      <InfiniteList query={query} more={t('more')} empty={null}>
        {(rows) => (
          <ul className="divide-y divide-line border-y border-line" aria-label={t('subscriptions')}>
            {rows.map(({ id, description, status, amount_eur, interval }) => (
              <li key={id} className="flex items-center gap-3 py-2">
                <button
                  type="button"
                  onClick={() => onOpen(id)}
                  className="min-w-0 flex-1 text-left font-medium wrap-anywhere hover:text-accent"
                >
                  {description}
                </button>
                <Badge tone={subscriptionTones[status]}>{t(status)}</Badge>
                <span className="text-right">
                  {t(interval, { amount: format.euro(amount_eur) })}
                </span>
              </li>
            ))}
          </ul>
        )}
      </InfiniteList>
    </section>
  )
}

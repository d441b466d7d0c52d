/** All payment links, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { QrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { useTexts } from '../../../language/texts.ts'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { linksQuery, type PaymentLink } from './link-queries.ts'
import { linkTexts } from './link-texts.ts'

export const linkTones: Readonly<Record<PaymentLink['status'], Tone>> = {
  active: 'good',
  paid: 'info',
  expired: 'neutral',
  off: 'neutral',
}

export interface LinkListProps {
  /** What to do for a first link. */
  action: ReactNode
  onOpen(link: PaymentLink): void
}

export function LinkList({ action, onOpen }: LinkListProps) {
  const t = useTexts(linkTexts)
  const query = useInfiniteQuery(linksQuery(useProjectScope()))
  return (
    <ListTable
      query={query}
      label={t('links')}
      more={t('more')}
      columns={useColumns(onOpen)}
      icon={<QrCode aria-hidden="true" />}
      empty={{ title: t('empty'), about: t('empty_about'), sentence: t('sentence'), action }}
      onOpen={onOpen}
    />
  )
}

function useColumns(onOpen: (row: PaymentLink) => void): Column<PaymentLink>[] {
  const t = useTexts(linkTexts)
  const format = useFormat()
  const paid = usePaid()
  return [
    {
      id: 'description',
      title: t('purpose'),
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="text-left font-medium wrap-anywhere hover:text-accent"
        >
          {row.description}
        </button>
      ),
    },
    {
      id: 'status',
      title: t('status'),
      cell: ({ status }) => <Badge tone={linkTones[status]}>{t(status)}</Badge>,
    },
    { id: 'paid', title: t('paid_column'), from: 'md', cell: paid },
    {
      id: 'amount',
      title: t('amount'),
      align: 'right',
      cell: ({ amount_eur }) => (
        <span className={amount_eur === null ? 'wrap-normal' : 'tabular-nums whitespace-nowrap'}>
          {amount_eur === null ? t('free_short') : format.euro(amount_eur)}
        </span>
      ),
    },
  ]
}

/** What was paid by a link, in words. */
export function usePaid(): (link: PaymentLink) => string {
  const t = useTexts(linkTexts)
  const format = useFormat()
  return ({ paid_orders: count, paid_eur }) => {
    const amount = format.euro(paid_eur)
    if (count === 0) return t('paid_none')
    return t('paid_sum', { amount, count })
  }
}

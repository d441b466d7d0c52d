/** All messages, newest first, with filters; one opens in a drawer. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowDownLeft, ArrowUpRight, MessageSquare } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { FilterSelect, withPart, type PartOf } from '../../ui/forms/filters.tsx'
import { MessageDrawer } from './message-drawer.tsx'
import { personOf, tones } from './message-status.ts'
import { messagesQuery, type Message, type MessageFilter } from './queries.ts'
import { useMessageTexts } from './texts.ts'

export interface MessageListProps {
  /** What to do for a first message. */
  action: ReactNode
  onReply(to: string): void
}

export function MessageList({ action, onReply }: MessageListProps) {
  const t = useMessageTexts()
  const [filter, setFilter] = useState<MessageFilter>({})
  const [open, setOpen] = useState<Message | null>(null)
  const query = useInfiniteQuery(messagesQuery(useProjectScope(), filter))
  const empty =
    Object.keys(filter).length > 0
      ? { title: t('nothing_found'), about: t('nothing_found_about') }
      : { title: t('empty'), about: t('empty_about'), sentence: t('sentence'), action }
  return (
    <>
      <Filters filter={filter} onChange={setFilter} />
      <ListTable
        query={query}
        label={t('list')}
        more={t('more')}
        columns={useColumns(setOpen)}
        icon={<MessageSquare aria-hidden="true" />}
        empty={empty}
        onOpen={(row) => setOpen(row)}
      />
      <MessageDrawer
        message={open}
        onClose={() => setOpen(null)}
        onReply={(to) => {
          setOpen(null)
          onReply(to)
        }}
      />
    </>
  )
}

const statuses = ['queued', 'sent', 'delivered', 'failed', 'received'] as const
const directions = ['outbound', 'inbound'] as const

interface FiltersProps {
  filter: MessageFilter
  onChange(filter: MessageFilter): void
}

function Filters({ filter, onChange }: FiltersProps) {
  const t = useMessageTexts()
  const set = (part: PartOf<MessageFilter>) => onChange(withPart(filter, part))
  return (
    <div className="grid gap-2.5 px-5 pt-2 pb-4 sm:grid-cols-2 lg:grid-cols-[12rem_12rem]">
      <FilterSelect
        label={t('direction')}
        all={t('all_directions')}
        value={filter.direction}
        onChange={(direction) => set({ direction })}
        choices={directions.map((value) => ({ value, text: t(value) }))}
      />
      <FilterSelect
        label={t('status')}
        all={t('all_statuses')}
        value={filter.status}
        onChange={(status) => set({ status })}
        choices={statuses.map((value) => ({ value, text: t(value) }))}
      />
    </div>
  )
}

function useColumns(onOpen: (row: Message) => void): Column<Message>[] {
  const t = useMessageTexts()
  const { mode } = useProjectScope()
  const format = useFormat()
  return [
    {
      id: 'person',
      title: t('person'),
      sortBy: personOf,
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="flex items-center gap-2 font-medium tabular-nums hover:text-accent"
        >
          {row.direction === 'inbound' ? (
            <ArrowDownLeft aria-label={t('inbound')} className="size-4 text-muted" />
          ) : (
            <ArrowUpRight aria-label={t('outbound')} className="size-4 text-muted" />
          )}
          {personOf(row)}
          {row.test && mode === 'live' && <Badge tone="warn">{t('simulated')}</Badge>}
        </button>
      ),
    },
    {
      id: 'text',
      title: t('text'),
      from: 'md',
      cell: ({ text }) => <span className="line-clamp-1 max-w-md">{text}</span>,
    },
    {
      id: 'status',
      title: t('status'),
      sortBy: ({ status }) => status,
      cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
    },
    {
      id: 'cost',
      title: t('cost_label'),
      from: 'lg',
      align: 'right',
      sortBy: ({ cost_eur }) => cost_eur,
      cell: ({ cost_eur }) => (
        <span className="tabular-nums">{cost_eur === 0 ? t('free') : format.cost(cost_eur)}</span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      align: 'right',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

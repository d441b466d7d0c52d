/** The calls of a project, newest first. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { PhoneCall, PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { ButtonLink, Button } from '../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { useOpenId } from '../../ui/display/use-tab.ts'
import { numbersQuery } from '../home/queries.ts'
import { CallDrawer } from './call-drawer.tsx'
import { CallFilters } from './call-filters.tsx'
import { CallDialog } from './outbound/call-dialog.tsx'
import { Consents } from './outbound/consents.tsx'
import { isRunning } from './outbound/running-call.tsx'
import { useOutboundTexts } from './outbound/texts.ts'
import { callsQuery, personOf, type Call, type CallFilter } from './queries.ts'
import { useCallTexts } from './texts.ts'

export function Page() {
  const t = useCallTexts()
  const [filter, setFilter] = useState<CallFilter>({})
  const [open_id, setOpenId] = useOpenId()
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={<OutboundActions onPlaced={setOpenId} />}
      />
      <Card flush>
        <CallFilters filter={filter} onChange={setFilter} />
        <FilteredCalls filter={filter} onOpen={setOpenId} />
      </Card>
      <CallDrawer id={open_id} onClose={() => setOpenId(null)} />
    </>
  )
}

interface FilteredCallsProps {
  filter: CallFilter
  onOpen(id: string): void
}

function FilteredCalls({ filter, onOpen }: FilteredCallsProps) {
  const t = useCallTexts()
  const query = useInfiniteQuery(callsQuery(useProjectScope(), filter))
  const isFiltered = Object.keys(filter).length > 0
  const columns = useColumns(({ id }) => onOpen(id))
  const empty = isFiltered
    ? { title: t('nothing_found'), about: t('nothing_found_about') }
    : {
        title: t('empty'),
        about: t('empty_about'),
        sentence: t('sentence'),
        action: <FirstCall />,
      }
  return (
    <ListTable
      query={query}
      label={t('title')}
      more={t('more')}
      columns={columns}
      icon={<PhoneCall aria-hidden="true" />}
      empty={empty}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}

/** The next thing to do for a first call. */
function FirstCall() {
  const t = useCallTexts()
  const scope = useProjectScope()
  const { data: numbers } = useQuery(numbersQuery(scope))
  if (numbers === undefined) return null
  const [to, text] =
    numbers.length === 0
      ? (['/numbers', 'get_number'] as const)
      : scope.mode === 'test'
        ? (['/test-call', 'test_call'] as const)
        : (['/numbers', 'see_numbers'] as const)
  return (
    <ButtonLink kind="primary" to={scope.link(to)}>
      {t(text)}
    </ButtonLink>
  )
}

const tones: Readonly<Record<Call['status'], Tone>> = {
  queued: 'good',
  ringing: 'good',
  in_progress: 'good',
  ai_handled: 'accent',
  forwarded: 'good',
  voicemail: 'accent',
  menu_ended: 'neutral',
  missed: 'warn',
  busy: 'warn',
  blocked: 'neutral',
  failed: 'bad',
  no_answer: 'warn',
  canceled: 'neutral',
}

function useColumns(onOpen: (row: Call) => void): Column<Call>[] {
  const t = useCallTexts()
  const format = useFormat()
  return [
    {
      id: 'person',
      title: t('person'),
      sortBy: personOf,
      cell: (row) => <Person call={row} onOpen={onOpen} />,
    },
    {
      id: 'number',
      title: t('number'),
      from: 'md',
      cell: ({ direction, from, to }) => (direction === 'inbound' ? to : from),
    },
    {
      id: 'status',
      title: t('outcome'),
      sortBy: ({ status }) => status,
      cell: ({ status }) => (
        <Badge tone={tones[status]} dot={isRunning(status)}>
          {t(status)}
        </Badge>
      ),
    },
    {
      id: 'duration',
      title: t('duration'),
      from: 'md',
      align: 'right',
      sortBy: ({ duration_sec }) => duration_sec,
      cell: ({ duration_sec }) => <span className="tabular-nums">{clock(duration_sec)}</span>,
    },
    {
      id: 'cost',
      title: t('cost'),
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
      sortBy: ({ started_at }) => started_at,
      cell: ({ started_at }) => <Moment at={started_at} />,
    },
  ]
}

/** Opens the call. The icon shows its direction. */
function Person({ call, onOpen }: { call: Call; onOpen(row: Call): void }) {
  const t = useCallTexts()
  const { mode } = useProjectScope()
  const Icon = call.direction === 'inbound' ? PhoneIncoming : PhoneOutgoing
  return (
    <button
      type="button"
      onClick={() => onOpen(call)}
      className="inline-flex items-center gap-1.5 font-medium tabular-nums hover:text-accent"
    >
      <Icon className="size-4 text-faint" aria-label={t(call.direction)} />
      {personOf(call)}
      {call.test && mode === 'live' && <Badge tone="warn">{t('simulated')}</Badge>}
    </button>
  )
}

/** Formats seconds as minutes and seconds, such as 1:05. */
function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `onPlaced` gets the id of the new call. */
function OutboundActions({ onPlaced }: { onPlaced(id: string): void }) {
  const t = useOutboundTexts()
  const [open, setOpen] = useState<'call' | 'consents' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <Button onClick={() => setOpen('consents')}>{t('consents')}</Button>
      {useProjectScope().may('member') && (
        <Button kind="primary" onClick={() => setOpen('call')}>
          <PhoneOutgoing aria-hidden="true" />
          {t('place')}
        </Button>
      )}
      {open === 'consents' && <Consents onClose={close} />}
      {open === 'call' && (
        <CallDialog
          onClose={close}
          onPlaced={(id) => {
            close()
            onPlaced(id)
          }}
        />
      )}
    </>
  )
}

/** The deliveries of an endpoint, with the attempts of each. */
import { useQuery } from '@tanstack/react-query'
import { Inbox, Radio, RotateCcw, Send } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { useTestEndpoint } from './endpoint-card.tsx'
import {
  deliveriesQuery,
  deliveryQuery,
  redeliver,
  webhooksKey,
  type Delivery,
  type DeliveryDetail,
  type DeliveryStatus,
} from './queries.ts'
import { useWebhookTexts } from './texts.ts'

const tones: Readonly<Record<DeliveryStatus, Tone>> = {
  delivered: 'good',
  pending: 'info',
  failed: 'bad',
  dropped: 'neutral',
}

const filters = ['all', 'delivered', 'pending', 'failed', 'dropped'] as const

export function Deliveries({ endpoint_id }: { endpoint_id: string }) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  const [status, setStatus] = useState<(typeof filters)[number]>('all')
  const [open, setOpen] = useState<Delivery | null>(null)
  const test = useTestEndpoint(endpoint_id)
  const query = useQuery(deliveriesQuery(scope, endpoint_id, status))
  return (
    <Card
      flush
      title={
        <span className="flex items-center gap-2.5">
          {t('deliveries')}
          <span className="flex items-center gap-1 text-xs font-normal text-faint max-sm:hidden">
            <Radio className="size-3.5 text-info" aria-hidden="true" />
            {t('live_tail')}
          </span>
        </span>
      }
      aside={
        <div className="w-36">
          <Select
            label={t('filter')}
            value={status}
            onChange={setStatus}
            choices={filters.map((value) => ({ value, text: t(value) }))}
          />
        </div>
      }
    >
      <ListTable
        query={query}
        label={t('deliveries')}
        columns={useColumns(setOpen)}
        icon={<Inbox aria-hidden="true" />}
        empty={{
          title: t('no_deliveries'),
          about: t('no_deliveries_about'),
          action: (
            <Button busy={test.isPending} onClick={() => test.mutate(undefined)}>
              <Send aria-hidden="true" />
              {t('send_test')}
            </Button>
          ),
        }}
        onOpen={(row) => setOpen(row)}
      />
      <RecordDrawer record={open} onClose={() => setOpen(null)} title={({ type }) => type}>
        {(delivery) => <Detail delivery={delivery} />}
      </RecordDrawer>
    </Card>
  )
}

function useColumns(onOpen: (row: Delivery) => void): Column<Delivery>[] {
  const t = useWebhookTexts()
  return [
    {
      id: 'type',
      title: t('event'),
      sortBy: ({ type }) => type,
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="text-left font-mono text-sm hover:text-accent"
        >
          {row.type}
        </button>
      ),
    },
    {
      id: 'status',
      title: t('status'),
      sortBy: ({ status }) => status,
      cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
    },
    {
      id: 'answer',
      title: t('answer'),
      from: 'sm',
      cell: ({ response_status, error }) => (
        <span className="text-muted tabular-nums">{response_status ?? error ?? '–'}</span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      align: 'right',
      from: 'sm',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

function Detail({ delivery }: { delivery: Delivery }) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  const query = useQuery(deliveryQuery(scope, delivery))
  const again = useAct({
    run: () => redeliver(scope, delivery.id),
    done: t('done_redelivered'),
    refresh: [webhooksKey(scope)],
  })
  return (
    <>
      <div className="flex items-center gap-3">
        <code className="min-w-0 flex-1 truncate font-mono text-sm text-muted">
          {delivery.event_id}
        </code>
        <Button size="sm" busy={again.isPending} onClick={() => again.mutate(undefined)}>
          <RotateCcw aria-hidden="true" />
          {t('redeliver')}
        </Button>
      </div>
      <QueryState query={query}>
        {({ attempts }) => (
          <ol className="flex flex-col gap-5">
            {attempts.map((attempt) => (
              <AttemptItem key={attempt.number} attempt={attempt} />
            ))}
          </ol>
        )}
      </QueryState>
    </>
  )
}

function AttemptItem({ attempt }: { attempt: DeliveryDetail['attempts'][number] }) {
  const t = useWebhookTexts()
  const format = useFormat()
  const { number, started_at, duration_ms, response_status, error, response_text } = attempt
  return (
    <li>
      <p className="flex flex-wrap items-center gap-2">
        <b className="font-semibold">{t('attempt', { number })}</b>
        <Badge tone={error === null ? 'good' : 'bad'}>
          {response_status ?? error ?? t('no_answer')}
        </Badge>
        <span className="text-sm text-muted">
          {format.moment(started_at)} · {t('took', { ms: duration_ms })}
        </span>
      </p>
      {response_text !== null && response_text !== '' && (
        <div className="mt-2">
          <CodeBlock label={t('answer')} code={response_text} />
        </div>
      )}
    </li>
  )
}

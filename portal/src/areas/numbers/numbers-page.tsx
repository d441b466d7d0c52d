/** The phone numbers of a project, and the order of another one. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Hourglass, Phone, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Mode } from '../../api/client.ts'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { OtherMode } from '../../shell/other-mode.tsx'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { NumberBadges, StepLine } from './number-state.tsx'
import { OrderDialog } from './order/order-dialog.tsx'
import { TestNumberButton } from './order/test-number-button.tsx'
import { overviewQuery, type NumberDetails, type NumbersOverview } from './queries.ts'
import { useNumberTexts } from './texts.ts'

export function Page() {
  const t = useNumberTexts()
  const scope = useProjectScope()
  const query = useQuery(overviewQuery(scope))
  const [orders, setOrders] = useState(false)
  const mayOrder = scope.may('member') && scope.project.offline === null
  const order = (
    <Button kind="primary" onClick={() => setOrders(true)}>
      <Plus aria-hidden="true" />
      {t('order')}
    </Button>
  )
  const { data: overview } = query
  const hasNumbers = overview !== undefined && numbersOf(overview, scope.mode).length > 0
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={hasNumbers && mayOrder && order} />
      <QueryState query={query}>
        {(shown) => <Body overview={shown} onOrder={() => setOrders(true)} />}
      </QueryState>
      {overview !== undefined && (
        <OrderDialog open={orders} onOpenChange={setOrders} overview={overview} />
      )}
    </>
  )
}

function numbersOf({ data }: NumbersOverview, mode: Mode): NumberDetails[] {
  return data.filter(({ test }) => test === (mode === 'test'))
}

function Body({ overview, onOrder }: { overview: NumbersOverview; onOrder(): void }) {
  const { mode } = useProjectScope()
  const { open_orders } = overview
  const shown = numbersOf(overview, mode)
  const hidden = overview.data.length - shown.length
  return (
    <>
      <OtherMode count={hidden === 0 ? '' : String(hidden)} />
      <div className="flex flex-col gap-5">
        {open_orders.map(({ e164 }) => (
          <OpenOrder key={e164} e164={e164} />
        ))}
        <Card flush>
          {shown.length === 0 ? <NoNumber onOrder={onOrder} /> : <NumberTable numbers={shown} />}
        </Card>
      </div>
    </>
  )
}

function OpenOrder({ e164 }: { e164: string }) {
  const t = useNumberTexts()
  return (
    <section
      aria-label={t('open_order')}
      className="flex gap-3.5 rounded-xl border border-line bg-info-soft p-5"
    >
      <Hourglass className="mt-0.5 size-5 shrink-0 text-info" aria-hidden="true" />
      <div>
        <h2 className="font-medium">{t('open_order')}</h2>
        <p className="text-sm text-muted">{t('open_order_about', { number: e164 })}</p>
      </div>
    </section>
  )
}

function NoNumber({ onOrder }: { onOrder(): void }) {
  const t = useNumberTexts()
  const { may, mode, project, link } = useProjectScope()
  const isLive = mode === 'live'
  return (
    <EmptyState
      icon={<Phone aria-hidden="true" />}
      title={t(isLive ? 'empty_live' : 'empty')}
      about={t(isLive ? 'empty_live_about' : 'empty_about')}
      {...(!isLive && { sentence: t('sentence') })}
      action={
        project.offline !== null ? null : may('member') ? (
          <span className="flex flex-wrap justify-center gap-2">
            {!isLive && <TestNumberButton kind="primary" label={t('get_test_free')} />}
            <Button kind={isLive ? 'primary' : 'secondary'} onClick={onOrder}>
              {t('order')}
            </Button>
            {isLive && <ButtonLink to={link('/go-live')}>{t('to_go_live')}</ButtonLink>}
          </span>
        ) : (
          <span className="text-sm text-muted">{t('viewers')}</span>
        )
      }
    />
  )
}

function NumberTable({ numbers }: { numbers: readonly NumberDetails[] }) {
  const t = useNumberTexts()
  const format = useFormat()
  const columns: Column<NumberDetails>[] = [
    {
      id: 'number',
      title: t('number'),
      sortBy: ({ e164 }) => e164,
      cell: (number) => <NumberCell number={number} />,
    },
    {
      id: 'called',
      title: t('when_called'),
      from: 'md',
      cell: (number) => <StepLine number={number} />,
    },
    {
      id: 'cost',
      title: t('cost'),
      from: 'sm',
      align: 'right',
      sortBy: ({ price_eur }) => price_eur,
      cell: ({ test, price_eur }) => (
        <span className="tabular-nums">{test ? t('free') : format.euro(price_eur)}</span>
      ),
    },
    {
      id: 'charge',
      title: t('next_charge'),
      from: 'lg',
      align: 'right',
      cell: ({ next_charge_on }) => (next_charge_on === null ? '–' : format.date(next_charge_on)),
    },
  ]
  return <Table label={t('title')} columns={columns} rows={numbers} keyOf={({ id }) => id} />
}

function NumberCell({ number }: { number: NumberDetails }) {
  const t = useNumberTexts()
  const format = useFormat()
  const { link } = useProjectScope()
  return (
    <span className="flex flex-col gap-1.5 py-1.5">
      <Link
        to={link(`/numbers/${number.id}`)}
        className="font-medium whitespace-nowrap text-fg tabular-nums no-underline hover:text-accent hover:underline"
      >
        {number.e164}
      </Link>
      <NumberBadges number={number} />
      <span className="text-sm text-muted md:hidden">
        <StepLine number={number} />
      </span>
      <span className="text-sm text-muted sm:hidden">
        {number.test ? t('free') : t('per_month', { price: format.euro(number.price_eur) })}
      </span>
    </span>
  )
}

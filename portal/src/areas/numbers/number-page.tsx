/** One number: its state and costs, its call plan, and its release. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { PhoneCall, PhoneMissed } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { meQuery } from '../../api/session.ts'
import { useFormat } from '../../language/format.ts'
import { ButtonAnchor, ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { NumberBadges } from './number-state.tsx'
import { overviewQuery, type NumberDetails } from './queries.ts'
import { ReleaseNumber } from './release-number.tsx'
import { useNumberTexts } from './texts.ts'

const PlanEditor = lazy(async () => ({
  default: (await import('./plan/plan-section.tsx')).PlanSection,
}))

export function Page() {
  const t = useNumberTexts()
  const { id } = useParams({ strict: false })
  const { link } = useProjectScope()
  const query = useQuery(overviewQuery(useProjectScope()))
  return (
    <QueryState query={query}>
      {({ data }) => {
        const number = data.find((one) => one.id === id)
        if (number !== undefined) return <NumberView key={number.id} number={number} />
        return (
          <Card flush>
            <h1 className="sr-only">{t('not_found')}</h1>
            <EmptyState
              icon={<PhoneMissed aria-hidden="true" />}
              title={t('not_found')}
              about={t('not_found_about')}
              action={<ButtonLink to={link('/numbers')}>{t('all_numbers')}</ButtonLink>}
            />
          </Card>
        )
      }}
    </QueryState>
  )
}

function NumberView({ number }: { number: NumberDetails }) {
  const t = useNumberTexts()
  const { may, link } = useProjectScope()
  const { id, e164, test } = number
  // The plan is deleted with its number, so it is not read again while the number is released.
  const [isReleasing, setReleasing] = useState(false)
  const tryIt = (
    <ButtonLink to={link('/test-call')} search={{ number: id }}>
      <PhoneCall aria-hidden="true" />
      {t('try_it')}
    </ButtonLink>
  )
  return (
    <div data-wide="" className="flex flex-col gap-6">
      <title>{e164}</title>
      <div className="-mb-6">
        <PageHeader
          title={
            <span className="flex flex-wrap items-center gap-3 tabular-nums">
              {e164}
              <NumberBadges number={number} />
            </span>
          }
          about={<Terms number={number} />}
          actions={may('member') && (test ? tryIt : <CallSimulated e164={e164} />)}
        />
      </div>
      <Notes number={number} />
      {isReleasing ? (
        <Skeleton className="h-140 w-full" />
      ) : (
        <Suspense fallback={<Skeleton className="h-140 w-full" />}>
          <PlanEditor number={number} />
        </Suspense>
      )}
      {may('member') && <ReleaseNumber number={number} onReleasing={setReleasing} />}
    </div>
  )
}

/** Calls a real number by typing, on a server whose carrier is simulated. */
function CallSimulated({ e164 }: { e164: string }) {
  const t = useNumberTexts()
  const { data: me } = useQuery(meQuery)
  const url = me?.simulated.phone_url ?? null
  if (url === null) return null
  return (
    <ButtonAnchor href={`${url}?to=${encodeURIComponent(e164)}`} target="_blank">
      <PhoneCall aria-hidden="true" />
      {t('call_by_typing')}
    </ButtonAnchor>
  )
}

/** Kind, price and next charge in a line. */
function Terms({ number }: { number: NumberDetails }) {
  const t = useNumberTexts()
  const format = useFormat()
  const { type, test, price_eur, next_charge_on, created_at } = number
  const facts = [
    t(test ? 'test_range' : type),
    test ? t('free') : t('per_month', { price: format.euro(price_eur) }),
    ...(next_charge_on === null ? [] : [`${t('next_charge')} ${format.date(next_charge_on)}`]),
    `${t('ordered_on')} ${format.date(created_at)}`,
  ]
  return <>{facts.join(' · ')}</>
}

/** What is unusual about the state of the number, and what to do about it. */
function Notes({ number: { status, is_owed, next_charge_on } }: { number: NumberDetails }) {
  const t = useNumberTexts()
  const format = useFormat()
  const { link } = useProjectScope()
  return (
    <>
      {status === 'pending' && (
        <p className="rounded-xl border border-line bg-info-soft p-4 text-sm">
          {t('pending_about')}
        </p>
      )}
      {is_owed && next_charge_on !== null && (
        <div className="flex flex-wrap items-center gap-3 rounded-xl border border-line bg-bad-soft p-4 text-sm">
          <p className="min-w-60 flex-1">
            {t('owed_about', { date: format.date(next_charge_on) })}
          </p>
          <ButtonLink size="sm" to={link('/billing')}>
            {t('to_billing')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}

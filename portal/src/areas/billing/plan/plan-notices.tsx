/** Notices: a failed or pending payment, a planned downgrade, a plan that ended. */
import { CalendarClock, CircleAlert, LoaderCircle, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button, ButtonLink } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { billingKey } from '../queries.ts'
import { ExcessList } from './limits.tsx'
import { cancelDowngrade, payPlan, planKey, type ProjectPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

export interface PlanNoticesProps {
  plan: ProjectPlan
  /** The page to which a failed payment links. */
  link_to: '/billing' | '/billing/plan'
}

export function PlanNotices({ plan, link_to }: PlanNoticesProps) {
  const { state, failed_payment, pending_payment, planned } = plan
  return (
    <>
      {pending_payment !== null && <PendingNotice plan={plan} pending={pending_payment} />}
      {state === 'past_due' && pending_payment === null && failed_payment !== null && (
        <FailedNotice failed={failed_payment} link_to={link_to} />
      )}
      {state === 'ended' && failed_payment !== null && <EndedNotice failed={failed_payment} />}
      {planned !== null && <PlannedNotice plan={plan} planned={planned} />}
    </>
  )
}

interface NoticeProps {
  tone: 'bad' | 'warn' | 'info'
  icon: ReactNode
  title: string
  children: ReactNode
  actions?: ReactNode
}

function Notice({ tone, icon, title, children, actions }: NoticeProps) {
  const colours = { bad: 'bg-bad-soft', warn: 'bg-warn-soft', info: 'bg-info-soft' }
  return (
    <div
      role="status"
      className={cx(
        'flex flex-wrap items-start gap-x-4 gap-y-3 rounded-xl border border-line p-4',
        colours[tone],
      )}
    >
      <span className="mt-0.5 shrink-0 [&_svg]:size-5">{icon}</span>
      <div className="min-w-56 flex-1">
        <p className="font-medium">{title}</p>
        <div className="text-sm text-muted">{children}</div>
      </div>
      {actions}
    </div>
  )
}

type Failed = NonNullable<ProjectPlan['failed_payment']>

function useReason(): (reason: string) => string {
  const t = usePlanTexts()
  return (reason) => {
    switch (reason) {
      case 'insufficient_balance':
      case 'payment_mandate_missing':
      case 'billing_blocked':
      case 'authentication_required':
      case 'insufficient_funds':
      case 'card_expired':
      case 'provider_unavailable':
        return t(`reason_${reason}`)
      default:
        return t('reason_card')
    }
  }
}

function FailedNotice({ failed, link_to }: Pick<PlanNoticesProps, 'link_to'> & { failed: Failed }) {
  const t = usePlanTexts()
  const format = useFormat()
  const reasonOf = useReason()
  const scope = useProjectScope()
  const act = useAct({
    run: () => payPlan(scope),
    refresh: [planKey(scope), billingKey(scope)],
    onDone: () => {},
    done: t('paid'),
  })
  const { amount_eur, reason, next_try_at, tries, tries_max } = failed
  const figures = {
    amount: format.euro(amount_eur),
    reason: reasonOf(reason),
    date: next_try_at === null ? '' : format.date(next_try_at),
  }
  return (
    <Notice
      tone="bad"
      icon={<CircleAlert className="text-bad" aria-hidden="true" />}
      title={t('failed_title')}
      actions={
        scope.may('admin') && (
          <div className="flex flex-wrap gap-2">
            <ButtonLink size="sm" to={scope.link(link_to)}>
              {t(link_to === '/billing' ? 'billing' : 'title')}
            </ButtonLink>
            <Button
              size="sm"
              kind="primary"
              busy={act.isPending}
              onClick={() => act.mutate(undefined)}
            >
              {t('pay_now')}
            </Button>
          </div>
        )
      }
    >
      <p>{t('failed_about', figures)}</p>
      {tries >= tries_max - 1 && <p>{t('failed_last')}</p>}
    </Notice>
  )
}

function EndedNotice({ failed }: { failed: Failed }) {
  const t = usePlanTexts()
  const reasonOf = useReason()
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert className="text-warn" aria-hidden="true" />}
      title={t('ended_title')}
    >
      <p>{t('ended_about', { reason: reasonOf(failed.reason) })}</p>
    </Notice>
  )
}

interface PendingNoticeProps {
  plan: ProjectPlan
  pending: NonNullable<ProjectPlan['pending_payment']>
}

function PendingNotice({ plan, pending }: PendingNoticeProps) {
  const t = usePlanTexts()
  const format = useFormat()
  const title = plan.plans.find((one) => one.plan === pending.plan)?.title ?? pending.plan
  return (
    <Notice
      tone="info"
      icon={<LoaderCircle className="animate-spin text-info" aria-hidden="true" />}
      title={t('pending_title')}
    >
      <p>{t('pending_about', { amount: format.euro(pending.amount_eur), plan: title })}</p>
    </Notice>
  )
}

interface PlannedNoticeProps {
  plan: ProjectPlan
  planned: NonNullable<ProjectPlan['planned']>
}

function PlannedNotice({ plan, planned }: PlannedNoticeProps) {
  const t = usePlanTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const act = useAct({
    run: () => cancelDowngrade(scope),
    done: t('kept', { plan: plan.title }),
    refresh: [planKey(scope)],
  })
  const { title, on, price_month_eur, does_not_fit } = planned
  const isBlocked = does_not_fit.length > 0
  const words = { plan: title, date: format.date(on), price: format.euro(price_month_eur) }
  return (
    <Notice
      tone={isBlocked ? 'warn' : 'info'}
      icon={<CalendarClock className={isBlocked ? 'text-warn' : 'text-info'} aria-hidden="true" />}
      title={t('planned_title', words)}
      actions={
        scope.may('owner') &&
        plan.is_changeable && (
          <Button size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
            {t('keep', { plan: plan.title })}
          </Button>
        )
      }
    >
      <p>{t('planned_about', words)}</p>
      {isBlocked && (
        <>
          <p className="mt-2 mb-1 font-medium text-fg">{t('planned_blocked')}</p>
          <ExcessList excess={does_not_fit} />
        </>
      )}
    </Notice>
  )
}

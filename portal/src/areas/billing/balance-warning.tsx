/** Says that money is about to stop a service, with the act that prevents it. */
import { TriangleAlert } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import type { Balance } from './queries.ts'
import { useBillingTexts } from './texts.ts'

const CAP_NEAR = 0.8

interface Warning {
  title: string
  about: string
  isBad: boolean
  /** Whether a top-up helps. */
  topsUp: boolean
}

export interface BalanceWarningProps {
  balance: Balance
  onTopUp(): void
}

export function BalanceWarning({ balance, onTopUp }: BalanceWarningProps) {
  const t = useBillingTexts()
  const { may } = useProjectScope()
  const warning = useWarning(balance)
  if (warning === null) return null
  const { title, about, isBad, topsUp } = warning
  return (
    <div
      role="status"
      className={cx(
        'mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line p-4',
        isBad ? 'bg-bad-soft' : 'bg-warn-soft',
      )}
    >
      <TriangleAlert
        aria-hidden="true"
        className={cx('size-5 shrink-0', isBad ? 'text-bad' : 'text-warn')}
      />
      <div className="min-w-56 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-sm text-muted">{about}</p>
      </div>
      {topsUp && may('admin') && (
        <Button size="sm" kind="primary" onClick={onTopUp}>
          {t('top_up')}
        </Button>
      )}
    </div>
  )
}

/** The most urgent warning. A project that never had money needs none. */
function useWarning(balance: Balance): Warning | null {
  const t = useBillingTexts()
  const format = useFormat()
  const { balance_eur, auto_reload, spend_cap_eur, spent_this_month_eur, transactions } = balance
  if (transactions.length === 0) return null
  if (auto_reload.enabled && auto_reload.disabled_reason !== null) {
    const about = t('reload_failed_about')
    return { title: t('reload_failed'), about, isBad: true, topsUp: true }
  }
  if (balance_eur <= 0) {
    return { title: t('empty_balance'), about: t('empty_about'), isBad: true, topsUp: true }
  }
  if (balance_eur < auto_reload.threshold_eur && !auto_reload.active) {
    const about = t('low_about', { threshold: format.euro(auto_reload.threshold_eur) })
    return { title: t('low'), about, isBad: false, topsUp: true }
  }
  if (spend_cap_eur === null || spent_this_month_eur < spend_cap_eur * CAP_NEAR) return null
  const share = `${Math.round((spent_this_month_eur / spend_cap_eur) * 100)} %`
  const about = t('cap_near_about', { cap: format.euro(spend_cap_eur) })
  return { title: t('cap_near', { share }), about, isBad: false, topsUp: false }
}

/** The outcome of the payment from whose page the person returns. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, LoaderCircle } from 'lucide-react'
import { useEffect } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { planKey } from './plan/queries.ts'
import { billingKey, topUpQuery } from './queries.ts'
import { useBillingTexts } from './texts.ts'
import { takeUpgrade } from './upgrade-after-top-up.ts'

export function TopUpNotice() {
  const { top_up } = useSearch({ strict: false })
  return typeof top_up === 'string' ? <Outcome id={top_up} /> : null
}

function Outcome({ id }: { id: string }) {
  const t = useBillingTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const client = useQueryClient()
  const { data } = useQuery(topUpQuery(scope, id))
  const isPaid = data?.state === 'paid'
  const { project_id, mode } = scope
  const planPage = scope.link('/billing/plan')
  const navigate = useNavigate()
  useEffect(() => {
    if (!isPaid) return
    // Both may have been read before the payment was known.
    const keys = [billingKey({ project_id, mode }), planKey({ project_id, mode })]
    const refreshed = keys.map((queryKey) => client.invalidateQueries({ queryKey }))
    void Promise.all(refreshed).then(() => {
      const upgrade = takeUpgrade(project_id)
      if (upgrade === null) return
      return navigate({ to: planPage, search: { mode, upgrade }, replace: true })
    })
  }, [client, isPaid, project_id, mode, planPage, navigate])
  if (data === undefined || data.state === 'expired') return null
  const amount = format.euro(data.amount_eur)
  return (
    <p
      role="status"
      className="mb-6 flex items-center gap-3 rounded-xl border border-line bg-info-soft p-4 font-medium"
    >
      {isPaid ? (
        <CircleCheck aria-hidden="true" className="size-5 shrink-0 text-good" />
      ) : (
        <LoaderCircle aria-hidden="true" className="size-5 shrink-0 animate-spin" />
      )}
      {t(isPaid ? 'top_up_paid' : 'top_up_open', { amount })}
    </p>
  )
}

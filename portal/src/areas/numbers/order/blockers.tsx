/** Everything that is missing before an order, each with a link to where it is solved. */
import { Link } from '@tanstack/react-router'
import { ArrowRight, Circle } from 'lucide-react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import type { OrderBlocker } from '../queries.ts'
import { useNumberTexts } from '../texts.ts'

type Code = OrderBlocker['code']

/** The page of the portal where a person can solve it; others are solved by the operator. */
const pageOf: Partial<Record<Code, string>> = {
  rail: '/go-live',
  plan: '/billing/plan',
  spending_cap: '/billing',
  payment_mandate: '/billing',
  payment_authentication: '/billing',
  monthly_cap: '/billing',
  balance: '/billing',
  phone_verification: '/verification',
  'level.company': '/verification',
  number_documents: '/verification',
}

/** What is solved on the page of the company, which the server makes. */
const companyCodes: readonly Code[] = ['company_details', 'business']

const linkClass =
  'inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline'

export function Blockers({ blockers }: { blockers: readonly OrderBlocker[] }) {
  const t = useNumberTexts()
  return (
    <section className="rounded-xl border border-line bg-warn-soft p-4">
      <h3 className="font-medium">{t('blockers')}</h3>
      <p className="text-sm text-muted">{t('blockers_about', { count: blockers.length })}</p>
      <ul className="mt-3 flex flex-col gap-2">
        {blockers.map(({ code }) => (
          <li key={code} className="flex items-start gap-2.5">
            <Circle className="mt-0.75 size-4 shrink-0 text-warn" aria-hidden="true" />
            <BlockerLine code={code} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function BlockerLine({ code }: { code: Code }) {
  const t = useNumberTexts()
  const { link } = useProjectScope()
  const text = t(`blocker_${code}`)
  const arrow = <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
  const page = pageOf[code]
  if (page !== undefined) {
    return (
      <Link to={link(page)} className={linkClass}>
        {text} {arrow}
      </Link>
    )
  }
  if (companyCodes.includes(code)) {
    return (
      <Link to={link('/company')} className={linkClass}>
        {text} {arrow}
      </Link>
    )
  }
  return <span>{text}</span>
}

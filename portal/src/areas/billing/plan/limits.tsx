/** Limits and features of plans as text, and lists of exceeded limits. */
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import type { Excess, LimitName, OfferedPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

/** A limit, or another difference between plans. */
export interface PlanFeature {
  key: string
  name: string
  value: string
}

/** Returns the limits and features of a plan, in the order of display. */
export function usePlanFeatures(): (plan: OfferedPlan) => PlanFeature[] {
  const t = usePlanTexts()
  const format = useFormat()
  return ({ limits }) =>
    limits.map(({ name, max }) => ({
      key: name,
      name: t(`limit_${name}`),
      value: valueOf(name, max),
    }))
  function valueOf(name: LimitName, max: number): string {
    if (name === 'live_payments') return t(max > 0 ? 'yes' : 'test_only')
    if (name === 'live_numbers' && max === 0) return t('test_only')
    return name.endsWith('_bytes') ? format.limitBytes(max) : format.number(max)
  }
}

/** The exceeded limits of a plan, each with a link to the page where its use can be reduced. */
export function ExcessList({ excess }: { excess: readonly Excess[] }) {
  const t = usePlanTexts()
  const format = useFormat()
  const { project_id, link } = useProjectScope()
  return (
    <ul className="flex flex-col gap-1.5">
      {excess.map(({ name, used, max, url }) => {
        const show = name.endsWith('_bytes') ? format.limitBytes : format.number
        const figures = { name: t(`limit_${name}`), used: show(used), max: show(max) }
        const text = name === 'live_payments' ? t('excess_payments') : t('excess', figures)
        const className =
          'inline-flex items-center gap-1 font-medium text-accent no-underline hover:underline'
        const arrow = <ArrowRight className="size-3.5 shrink-0" aria-hidden="true" />
        const [, path] = url.split(`/projects/${project_id}`)
        return (
          <li key={url + name}>
            {path === undefined ? (
              // The other project of a pair.
              <a href={url} className={className}>
                {text} {arrow}
              </a>
            ) : (
              <Link to={link(path)} className={className}>
                {text} {arrow}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}

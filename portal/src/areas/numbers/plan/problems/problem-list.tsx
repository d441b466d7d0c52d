/** Every problem of the plan, each leading to its step. */
import { CircleAlert, CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react'
import { usePlanEditor } from '../editor-context.tsx'
import { stepOf } from '../model/plan.ts'
import { useFieldNames, useStepNames } from '../names.ts'
import type { PlanProblem } from './problems.ts'
import { usePlanTexts } from '../texts.ts'

export function ProblemList() {
  const t = usePlanTexts()
  const { problems } = usePlanEditor()
  const { all, refusal } = problems
  return (
    <section aria-label={t('problem')} className="border-t border-line px-5 py-3">
      <Summary />
      {all.length > 0 && (
        <ul className="relative mt-2 flex max-h-48 flex-col gap-1 overflow-y-auto">
          {all.map((problem) => (
            <ProblemLine key={`${problem.path} ${problem.message}`} problem={problem} />
          ))}
        </ul>
      )}
      {refusal !== null && <span className="sr-only">{refusal}</span>}
    </section>
  )
}

function Summary() {
  const t = usePlanTexts()
  const { all, isCurrent, refusal } = usePlanEditor().problems
  const faults = all.filter(({ tone }) => tone === 'bad').length + (refusal === null ? 0 : 1)
  const warnings = all.length - (faults - (refusal === null ? 0 : 1))
  const texts = [
    ...(faults > 0 ? [t('problems', { count: faults })] : []),
    ...(warnings > 0 ? [t('warnings', { count: warnings })] : []),
  ]
  return (
    <p role="status" className="flex items-center gap-2 text-sm text-muted">
      {!isCurrent ? (
        <LoaderCircle className="size-4 animate-spin" aria-hidden="true" />
      ) : faults > 0 ? (
        <CircleAlert className="size-4 text-bad" aria-hidden="true" />
      ) : warnings > 0 ? (
        <TriangleAlert className="size-4 text-warn" aria-hidden="true" />
      ) : (
        <CircleCheck className="size-4 text-good" aria-hidden="true" />
      )}
      {!isCurrent ? t('checking') : texts.length === 0 ? t('no_problems') : texts.join(', ')}
    </p>
  )
}

function ProblemLine({ problem }: { problem: PlanProblem }) {
  const t = usePlanTexts()
  const { plan, select } = usePlanEditor()
  const stepName = useStepNames()
  const fieldName = useFieldNames()
  const { tone, node, field, message } = problem
  const step = stepOf(plan, node)
  const Icon = tone === 'bad' ? CircleAlert : TriangleAlert
  const place = step === null ? (node ?? t('whole_plan')) : stepName(step)
  const names = field.split('/').filter((part) => part !== '' && !/^\d+$/.test(part))
  const text = [place, ...names.map((name) => fieldName(name))].join(' › ')
  const body = (
    <>
      <Icon
        className={`mt-0.5 size-3.5 shrink-0 ${tone === 'bad' ? 'text-bad' : 'text-warn'}`}
        aria-label={t(tone === 'bad' ? 'problem' : 'warning')}
      />
      <span>
        <b className="font-medium">{text}</b> {message}
      </span>
    </>
  )
  return (
    <li className="text-sm">
      {step === null ? (
        <span className="flex gap-2 px-2 py-1">{body}</span>
      ) : (
        <button
          type="button"
          onClick={() => select(step.id)}
          className="flex w-full gap-2 rounded-md px-2 py-1 text-left hover:bg-hover"
        >
          {body}
        </button>
      )}
    </li>
  )
}

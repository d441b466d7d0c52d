/** The plan as a numbered list in the order of a call: the same as the graph, for any device. */
import { CircleAlert, CornerDownRight, TriangleAlert } from 'lucide-react'
import { cx } from '../../../ui/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { usePlanEditor } from './editor-context.tsx'
import { shownExits, type Exit } from './model/exits.ts'
import { pointerOf } from './model/json.ts'
import { entryOf, stepOf, type PlanStep } from './model/plan.ts'
import { summaryOf, useExitNames, useStepNames, useTypeNames } from './names.ts'
import { problemsAt, worstOf } from './problems/problems.ts'
import { StepTile } from './step-icon.tsx'
import { usePlanTexts } from './texts.ts'
import { StepSelect } from './panel/step-select.tsx'

export function Outline() {
  const t = usePlanTexts()
  const { steps } = usePlanEditor()
  return (
    <ol
      aria-label={t('steps')}
      className="relative flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto bg-bg p-4 sm:p-5"
    >
      {steps.map((step, index) => (
        <OutlineStep key={step.id} step={step} number={index + 1} />
      ))}
    </ol>
  )
}

function OutlineStep({ step, number }: { step: PlanStep; number: number }) {
  const t = usePlanTexts()
  const stepName = useStepNames()
  const typeName = useTypeNames()
  const { plan, schemas, selected, select } = usePlanEditor()
  const { id, type, node } = step
  const about = summaryOf(step) || typeName(type)
  const { exits, endings } = shownExits(schemas[type], node)
  const name = stepName(step)
  return (
    <li
      className={cx(
        'shrink-0 rounded-xl border bg-surface shadow-card transition-colors',
        selected === id ? 'border-accent' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-pressed={selected === id}
        onClick={() => select(id)}
        className="flex w-full items-start gap-3 rounded-xl p-3.5 text-left hover:bg-hover/60"
      >
        <StepTile type={type} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-2 font-medium">
            <span className="text-faint tabular-nums">{number}.</span>
            {name}
            {entryOf(plan) === id && <Badge tone="accent">{t('first')}</Badge>}
          </span>
          {about !== name && <span className="block truncate text-sm text-muted">{about}</span>}
        </span>
        <ProblemBadge id={id} />
      </button>
      {(exits.length > 0 || endings > 0) && (
        <ul className="flex flex-col gap-2 border-t border-line px-3.5 py-3">
          {exits.map((exit) => (
            <ExitLine key={pointerOf(exit.path)} step={step} exit={exit} />
          ))}
          {endings > 0 && (
            <li className="flex items-center gap-2 text-sm text-faint">
              <CornerDownRight className="size-3.5 shrink-0" aria-hidden="true" />
              {t(exits.length === 0 ? 'then_ends' : 'else_ends')}
            </li>
          )}
        </ul>
      )}
    </li>
  )
}

export function ProblemBadge({ id }: { id: string }) {
  const t = usePlanTexts()
  const { problems } = usePlanEditor()
  const own = problemsAt(problems, id)
  const worst = worstOf(own)
  if (worst === null) return null
  const Icon = worst === 'bad' ? CircleAlert : TriangleAlert
  const text = t(worst === 'bad' ? 'problems' : 'warnings', { count: own.length })
  return (
    <span className={worst === 'bad' ? 'text-bad' : 'text-warn'} title={text}>
      <Icon className="size-4" aria-hidden="true" />
      <span className="sr-only">{text}</span>
    </span>
  )
}

function ExitLine({ step, exit }: { step: PlanStep; exit: Exit }) {
  const t = usePlanTexts()
  const exitName = useExitNames()
  const stepName = useStepNames()
  const { plan, mayEdit } = usePlanEditor()
  const { path, to, isOptional } = exit
  const next = stepOf(plan, to)
  const label = `${stepName(step)}: ${exitName(exit)}`
  return (
    <li className="grid items-center gap-x-3 gap-y-1 text-sm sm:grid-cols-[minmax(8rem,1fr)_minmax(0,1.4fr)]">
      <span className="flex min-w-0 items-center gap-2 text-muted">
        <CornerDownRight className="size-3.5 shrink-0 text-faint" aria-hidden="true" />
        <span className="truncate">{exitName(exit)}</span>
      </span>
      {mayEdit ? (
        <StepSelect from={step.id} path={path} to={to} isOptional={isOptional} label={label} />
      ) : (
        <span>{next === null ? t('ends_call') : stepName(next)}</span>
      )}
    </li>
  )
}

/** A step in the graph: what it does, and a dot for each exit. */
import { Handle, Position } from '@xyflow/react'
import { PhoneIncoming } from 'lucide-react'
import { cx } from '../../../../ui/class-names.ts'
import { usePlanEditor } from '../editor-context.tsx'
import { exitsOf, keyedField, shownExits, type Exit } from '../model/exits.ts'
import { pointerOf } from '../model/json.ts'
import { stepOf, type PlanStep } from '../model/plan.ts'
import { summaryOf, useExitNames, useFieldNames, useStepNames, useTypeNames } from '../names.ts'
import { ProblemBadge } from '../outline.tsx'
import { problemsAt, worstOf } from '../problems/problems.ts'
import { StepTile } from '../step-icon.tsx'
import { usePlanTexts } from '../texts.ts'

/** The dot of a menu from which the next free key is connected. */
export const NEW_KEY = '+'

export function StepNode({ id, selected = false }: { id: string; selected?: boolean }) {
  const { plan, problems } = usePlanEditor()
  const step = stepOf(plan, id)
  if (step === null) return null
  const worst = worstOf(problemsAt(problems, id))
  return (
    <div
      className={cx(
        'h-full rounded-xl border bg-surface text-left shadow-card transition-[border-color,box-shadow]',
        selected && 'border-accent ring-2 ring-accent/25',
        !selected && (worst === 'bad' ? 'border-bad' : 'border-line-strong hover:border-faint'),
      )}
    >
      <Handle type="target" position={Position.Left} className="plan-in" />
      <Head step={step} />
      <Exits step={step} isOpen={selected} />
    </div>
  )
}

function Head({ step }: { step: PlanStep }) {
  const stepName = useStepNames()
  const typeName = useTypeNames()
  const name = stepName(step)
  const about = summaryOf(step) || typeName(step.type)
  const fault = useFirstFault(step.id)
  return (
    <div className="flex h-16 items-center gap-2.5 px-3">
      <StepTile type={step.type} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold tracking-tight">{name}</p>
        {fault !== null ? (
          <p title={fault} className="truncate text-xs text-bad">
            {fault}
          </p>
        ) : (
          about !== name && <p className="truncate text-xs text-muted">{about}</p>
        )}
      </div>
      <ProblemBadge id={step.id} />
    </div>
  )
}

/** The first fault of a step with the field that has it; the form shows all of them. */
function useFirstFault(id: string): string | null {
  const { problems } = usePlanEditor()
  const fieldName = useFieldNames()
  const fault = problemsAt(problems, id).find(({ tone }) => tone === 'bad')
  if (fault === undefined) return null
  const field = fault.field.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part))
  return field === undefined ? fault.message : `${fieldName(field)}: ${fault.message}`
}

/** The exits that lead on; a chosen step shows all of them, to connect them. */
function Exits({ step: { type, node }, isOpen }: { step: PlanStep; isOpen: boolean }) {
  const t = usePlanTexts()
  const { schemas, mayEdit } = usePlanEditor()
  const schema = schemas[type]
  const all = exitsOf(schema, node)
  const { exits, endings } = shownExits(schema, node)
  const withAll = isOpen && mayEdit
  const hasKeys = keyedField(schema) !== null
  if (all.length === 0 && !hasKeys) return null
  return (
    <ul className="border-t border-line pt-0.5">
      {(withAll ? all : exits).map((exit) => (
        <ExitRow key={pointerOf(exit.path)} exit={exit} />
      ))}
      {!withAll && endings > 0 && (
        <li className="flex h-7.5 items-center px-3.5 text-xs text-faint">
          {t(exits.length === 0 ? 'then_ends' : 'else_ends')}
        </li>
      )}
      {withAll && hasKeys && (
        <li className="relative flex h-7.5 items-center justify-end px-3.5 text-xs text-faint">
          + {t('add_key')}
          <Handle id={NEW_KEY} type="source" position={Position.Right} className="plan-out" />
        </li>
      )}
    </ul>
  )
}

function ExitRow({ exit }: { exit: Exit }) {
  const t = usePlanTexts()
  const exitName = useExitNames()
  const { path, to, isOptional } = exit
  return (
    <li className="relative flex h-7.5 items-center justify-between gap-2 px-3.5 text-xs">
      <span className={cx('truncate', to === null && 'text-faint')}>{exitName(exit)}</span>
      {to === null && (
        <span className={cx('shrink-0', isOptional ? 'text-faint' : 'text-bad')}>
          {t(isOptional ? 'ends' : 'not_chosen')}
        </span>
      )}
      <Handle
        id={pointerOf(path)}
        type="source"
        position={Position.Right}
        className={cx('plan-out', to !== null && 'is-used')}
      />
    </li>
  )
}

export function StartNode() {
  const t = usePlanTexts()
  return (
    <div className="flex h-full items-center justify-center gap-2 rounded-full border border-line bg-surface text-xs font-medium whitespace-nowrap text-muted shadow-card">
      <PhoneIncoming className="size-3.5 text-good" aria-hidden="true" />
      {t('start')}
      <Handle
        type="source"
        position={Position.Right}
        isConnectable={false}
        className="plan-start"
      />
    </div>
  )
}

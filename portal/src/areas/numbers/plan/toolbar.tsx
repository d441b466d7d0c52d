/** The controls above the plan: views, steps to add, and undo. */
import { Braces, ChevronDown, List, Plus, Redo2, Undo2, Workflow } from 'lucide-react'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../../ui/actions/menu.tsx'
import { cx } from '../../../ui/class-names.ts'
import { usePlanEditor } from './editor-context.tsx'
import { templateNames, templateOf } from './model/templates.ts'
import { StepIcon } from './step-icon.tsx'
import { usePlanTexts } from './texts.ts'
import { useTypeNames } from './names.ts'

export type PlanView = 'graph' | 'outline'

export interface ToolbarProps {
  view: PlanView
  setView(view: PlanView): void
  withJson: boolean
  setWithJson(withJson: boolean): void
}

export function Toolbar({ view, setView, withJson, setWithJson }: ToolbarProps) {
  const t = usePlanTexts()
  const { mayEdit } = usePlanEditor()
  return (
    <div className="flex flex-wrap items-center gap-2 px-5 pb-3">
      <div role="group" aria-label={t('view')} className="flex rounded-lg bg-hover p-0.5">
        <ViewButton name="graph" isOn={view === 'graph'} onClick={() => setView('graph')} />
        <ViewButton name="outline" isOn={view === 'outline'} onClick={() => setView('outline')} />
        <ViewButton name="json" isOn={withJson} onClick={() => setWithJson(!withJson)} />
      </div>
      {mayEdit && (
        <>
          <AddStep />
          <Templates />
          <UndoButtons />
        </>
      )}
    </div>
  )
}

const viewIcons = { graph: Workflow, outline: List, json: Braces } as const

function ViewButton(props: { name: keyof typeof viewIcons; isOn: boolean; onClick(): void }) {
  const { name, isOn, onClick } = props
  const t = usePlanTexts()
  const Icon = viewIcons[name]
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      className={cx(
        'flex h-8 items-center gap-1.5 rounded-md px-2.5 text-sm font-medium transition-colors',
        isOn ? 'bg-surface text-fg shadow-card' : 'text-muted hover:text-fg',
      )}
    >
      <Icon className="size-4" aria-hidden="true" />
      {t(name)}
    </button>
  )
}

function AddStep() {
  const t = usePlanTexts()
  const typeName = useTypeNames()
  const { schemas, addStep } = usePlanEditor()
  return (
    <Menu
      trigger={
        <Button size="sm">
          <Plus aria-hidden="true" />
          {t('add_step')}
        </Button>
      }
    >
      {Object.keys(schemas).map((type) => (
        <MenuItem key={type} icon={<StepIcon type={type} />} onSelect={() => addStep(type)}>
          {typeName(type)}
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Ready-made plans; they replace the draft, and can be undone. */
function Templates() {
  const t = usePlanTexts()
  const language = useLanguage()
  const { edit, select } = usePlanEditor()
  return (
    <Menu
      trigger={
        <Button size="sm" kind="ghost">
          {t('start_from')}
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {templateNames.map((name) => (
        <MenuItem
          key={name}
          onSelect={() => {
            const plan = templateOf(name, language)
            edit('', plan)
            select(name === 'assistant' || name === 'ring_first' ? String(plan['entry']) : null)
          }}
        >
          {t(`template_${name}`)}
        </MenuItem>
      ))}
    </Menu>
  )
}

function UndoButtons() {
  const t = usePlanTexts()
  const { draft, undo, redo } = usePlanEditor()
  return (
    <span className="flex">
      <Button
        kind="ghost"
        size="icon"
        title={t('undo')}
        aria-label={t('undo')}
        disabled={draft.past.length === 0}
        onClick={undo}
      >
        <Undo2 aria-hidden="true" />
      </Button>
      <Button
        kind="ghost"
        size="icon"
        title={t('redo')}
        aria-label={t('redo')}
        disabled={draft.future.length === 0}
        onClick={redo}
      >
        <Redo2 aria-hidden="true" />
      </Button>
    </span>
  )
}

/** The drawer that creates or changes an agent. */
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { type Translate } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { ErrorState } from '../../../ui/states/error-state.tsx'
import { agentsKey, changeAgent, createAgent, type Agent, type AgentInput } from '../queries.ts'
import { draftOf, inputOf, newDraft, readActions, type Draft } from './draft.ts'
import { StepFields } from './step-fields.tsx'
import { useBuilderTexts } from './texts.ts'
import { TriggerFields } from './trigger-fields.tsx'

/** The fields of an agent that a fault can be at, by their names in the API. */
const placeNames = {
  action: 'action',
  cron: 'cron',
  event: 'event',
  filter: 'filter',
  input: 'input',
  instructions: 'instructions',
  name: 'name',
  timezone: 'timezone',
  when: 'when',
} as const

const startingActions = JSON.stringify(
  [{ action: 'documents.list', config: { name: 'log' } }, { action: 'notify.owner' }],
  null,
  2,
)

export interface BuilderProps {
  /** The agent to change; absent for a new one. */
  agent?: Agent
  open: boolean
  onClose(): void
  onSaved(agent: Agent): void
}

export function Builder({ agent, open, onClose, onSaved }: BuilderProps) {
  const t = useBuilderTexts()
  return (
    <Drawer open={open} onClose={onClose} title={t(agent === undefined ? 'new' : 'edit')}>
      <BuilderForm {...(agent && { agent })} onClose={onClose} onSaved={onSaved} />
    </Drawer>
  )
}

function firstDraft(agent: Agent | undefined): Draft {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return agent === undefined ? newDraft(zone) : draftOf(agent, zone)
}

function BuilderForm({ agent, onClose, onSaved }: Omit<BuilderProps, 'open'>) {
  const t = useBuilderTexts()
  const scope = useProjectScope()
  const [draft, setDraft] = useState(() => firstDraft(agent))
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useAct({
    run: (input: AgentInput) =>
      agent === undefined ? createAgent(scope, input) : changeAgent(scope, agent.id, input),
    done: t(agent === undefined ? 'created' : 'saved'),
    refresh: [agentsKey(scope)],
    onDone: onSaved,
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  const save = () => {
    setIsTried(true)
    setProblem(null)
    const input = inputOf(draft)
    if (input !== null) act.mutate(input)
  }
  return (
    <form noValidate className="flex flex-col gap-5 p-5" onSubmit={submit(() => save())}>
      <BuilderFields draft={draft} isTried={isTried} onChange={setDraft} />
      <p className="text-sm text-muted">{t('approval_note')}</p>
      {problem !== null && <Problem problem={problem} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button kind="ghost" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t(agent === undefined ? 'create' : 'save')}
        </Button>
      </div>
    </form>
  )
}

function BuilderFields(props: { draft: Draft; isTried: boolean; onChange(draft: Draft): void }) {
  const { draft, isTried, onChange } = props
  const t = useBuilderTexts()
  const isNameless = isTried && draft.name.trim() === ''
  return (
    <>
      <Field label={t('name')} fault={isNameless ? t('name_fault') : undefined}>
        <Input
          autoComplete="off"
          maxLength={100}
          value={draft.name}
          onChange={({ target }) => onChange({ ...draft, name: target.value })}
        />
      </Field>
      <Field label={t('instructions')} optional>
        <Textarea
          maxLength={8000}
          value={draft.instructions}
          onChange={({ target }) => onChange({ ...draft, instructions: target.value })}
        />
      </Field>
      <TriggerFields draft={draft} onChange={onChange} />
      <Field label={t('mode')}>
        <Select
          value={draft.actions === null ? 'by_steps' : 'by_model'}
          onChange={(mode) =>
            onChange({ ...draft, actions: mode === 'by_steps' ? null : startingActions })
          }
          choices={(['by_steps', 'by_model'] as const).map((value) => ({ value, text: t(value) }))}
        />
      </Field>
      {draft.actions === null ? (
        <StepFields
          steps={draft.steps}
          isTried={isTried}
          onChange={(steps) => onChange({ ...draft, steps })}
        />
      ) : (
        <Field
          label={t('actions')}
          hint={t('actions_hint')}
          fault={isTried && readActions(draft.actions) === null ? t('actions_fault') : undefined}
        >
          <Textarea
            className="font-mono text-sm"
            rows={8}
            spellCheck={false}
            value={draft.actions}
            onChange={({ target }) => onChange({ ...draft, actions: target.value })}
          />
        </Field>
      )}
    </>
  )
}

/** The error of the server: its faults by field or, without any, its message. */
function Problem({ problem }: { problem: ApiProblem }) {
  const { faults, user_message } = problem
  const t = useBuilderTexts()
  const named = faults
    .map(({ path, message }) => `${placeOf(path, t)} ${message}`.trim())
    .join(' · ')
  return <ErrorState {...problem} user_message={named === '' ? user_message : named} />
}

/** The place of a fault, such as `Step 1, Action:`. */
function placeOf(path: string, t: Translate<(typeof useBuilderTexts)['table']>): string {
  const parts = path.split('/').slice(1)
  const field = parts.find((part) => Object.hasOwn(placeNames, part))
  const [first, index] = parts
  const names = [
    ...(first === 'steps' && index !== undefined ? [t('step', { number: Number(index) + 1 })] : []),
    ...(isPlace(field) ? [t(placeNames[field])] : []),
  ]
  return names.length === 0 ? '' : `${names.join(', ')}:`
}

function isPlace(name: string | undefined): name is keyof typeof placeNames {
  return name !== undefined && Object.hasOwn(placeNames, name)
}

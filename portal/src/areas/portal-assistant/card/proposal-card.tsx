/**
 * A proposed operation: its exact arguments, its cost, the data that it deletes, and its result.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { declineProposal, editProposal, runProposal, type Proposal } from '../queries.ts'
import { useAssistantTexts } from '../texts.ts'
import { Card, PageLink } from './card-parts.tsx'
import { labelOf, SchemaForm } from './schema-form.tsx'

const tones: Readonly<Record<Proposal['status'], Tone>> = {
  pending: 'warn',
  running: 'info',
  executed: 'good',
  failed: 'bad',
  declined: 'neutral',
  expired: 'neutral',
}

export interface ProposalCardProps {
  proposal: Proposal
  onChange(changed: Proposal): void
  onNavigate(): void
}

export function ProposalCard({ proposal, onChange, onNavigate }: ProposalCardProps) {
  const t = useAssistantTexts()
  const [isEditing, setEditing] = useState(false)
  const { title, about, effect, status, page } = proposal
  const isPending = status === 'pending'
  const state = (
    <Badge tone={tones[status]} dot={isPending}>
      {t(status)}
    </Badge>
  )
  return (
    <Card title={title} about={about} effect={effect} state={state}>
      {isEditing && isPending ? (
        <Editing proposal={proposal} onChange={onChange} onEnd={() => setEditing(false)} />
      ) : (
        <>
          <Known proposal={proposal} />
          {isPending && (
            <Decision proposal={proposal} onChange={onChange} onEdit={() => setEditing(true)} />
          )}
        </>
      )}
      <Outcome proposal={proposal} />
      {page !== null && !isPending && <PageLink page={page} onNavigate={onNavigate} />}
    </Card>
  )
}

/** The arguments, and what the person has to know about them. */
function Known({ proposal }: { proposal: Proposal }) {
  const t = useAssistantTexts()
  const given = Object.entries(proposal.arguments)
  const notes = (['subject', 'loss', 'cost'] as const).filter((name) => proposal[name] !== null)
  return (
    <>
      {given.length === 0 ? (
        <p className="text-sm text-muted">{t('no_arguments')}</p>
      ) : (
        <Values values={given} />
      )}
      {notes.map((name) => (
        <p key={name} className={name === 'subject' ? 'text-sm' : 'text-sm font-medium text-warn'}>
          {t(name)}: {proposal[name]}
        </p>
      ))}
    </>
  )
}

function Values({ values }: { values: readonly [string, unknown][] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {values.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{labelOf(name)}</dt>
          <dd className="wrap-anywhere whitespace-pre-wrap">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ')
  if (value === null) return '—'
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

function Decision(props: {
  proposal: Proposal
  onChange(changed: Proposal): void
  onEdit(): void
}) {
  const { proposal, onChange, onEdit } = props
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const run = useAct({
    run: () => runProposal(scope, proposal),
    onDone(changed) {
      onChange(changed)
      void client.invalidateQueries()
    },
  })
  const decline = useAct({ run: () => declineProposal(scope, proposal), onDone: onChange })
  const isBusy = run.isPending || decline.isPending
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        kind={proposal.loss === null ? 'primary' : 'danger'}
        size="sm"
        busy={run.isPending}
        disabled={isBusy}
        onClick={() => run.mutate(undefined)}
      >
        {t('run')}
      </Button>
      <Button size="sm" disabled={isBusy} onClick={onEdit}>
        {t('edit')}
      </Button>
      <Button kind="ghost" size="sm" disabled={isBusy} onClick={() => decline.mutate(undefined)}>
        {t('decline')}
      </Button>
    </div>
  )
}

function Editing(props: { proposal: Proposal; onChange(changed: Proposal): void; onEnd(): void }) {
  const { proposal, onChange, onEnd } = props
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const act = useAct({
    run: (values: Record<string, unknown>) => editProposal(scope, proposal, values),
    onDone(changed) {
      onChange(changed)
      onEnd()
    },
    onFault(refused) {
      setProblem(refused)
      return true
    },
  })
  return (
    <SchemaForm
      shape={{ ...proposal.shape }}
      values={{ ...proposal.arguments }}
      action={t('save')}
      busy={act.isPending}
      problem={problem}
      onSubmit={(values) => act.mutate(values)}
      onCancel={onEnd}
    />
  )
}

function Outcome({ proposal: { status, reply, problem } }: { proposal: Proposal }) {
  const t = useAssistantTexts()
  if (status === 'failed')
    return (
      <p role="alert" className="rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
        {problem === null ? t('unknown_outcome') : `${problem.user_message} ${problem.next_step}`}
      </p>
    )
  if (status !== 'executed' || reply === null) return null
  const text = JSON.stringify(reply, null, 2)
  return (
    <details open={text.length < OPEN_CHARACTERS_MAX} className="text-sm">
      <summary className="cursor-pointer font-medium">{t('result')}</summary>
      <div className="mt-2 flex items-start gap-2">
        <div className="max-h-72 min-w-0 flex-1 overflow-y-auto" tabIndex={0} role="group">
          <Values values={Object.entries(reply)} />
        </div>
        <CopyButton text={text} />
      </div>
    </details>
  )
}

/** Longer results are closed at first. */
const OPEN_CHARACTERS_MAX = 1_500

/** The details of one approval, with the buttons that decide it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { translateMessage, translateStep } from '../../language/server-texts/translate.ts'
import { useLanguage, useServerText } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Textarea } from '../../ui/forms/input.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { EffectBadge, StatusBadge } from './approval-card.tsx'
import {
  aboutIn,
  approvalQuery,
  approvalsKey,
  decide,
  editArguments,
  type Approval,
} from './queries.ts'
import { useApprovalTexts } from './texts.ts'

export interface ApprovalDrawerProps {
  id: string | null
  onClose(): void
}

export function ApprovalDrawer({ id, onClose }: ApprovalDrawerProps) {
  const t = useApprovalTexts()
  return (
    <Drawer open={id !== null} onClose={onClose} title={t('request')}>
      {id !== null && <Body id={id} onClose={onClose} />}
    </Drawer>
  )
}

function Body({ id, onClose }: { id: string; onClose(): void }) {
  const scope = useProjectScope()
  const query = useQuery(approvalQuery(scope, id))
  return (
    <QueryState query={query}>
      {(approval) => (
        <div className="flex min-h-full flex-col">
          <div className="flex flex-1 flex-col gap-6 p-5">
            <Summary approval={approval} />
            {approval.status === 'pending' && scope.may('member') ? (
              <EditableValues approval={approval} />
            ) : (
              <Values approval={approval} />
            )}
            <Outcome approval={approval} />
          </div>
          {approval.status === 'pending' && <Decide approval={approval} onClose={onClose} />}
        </div>
      )}
    </QueryState>
  )
}

function Summary({ approval }: { approval: Approval }) {
  const t = useApprovalTexts()
  const format = useFormat()
  const language = useLanguage()
  const said = useServerText()
  const { subject, loss, effect, status, cost, asked_by, created_at, expires_at, edited } = approval
  return (
    <section>
      <div className="flex flex-wrap gap-2">
        <StatusBadge status={status} />
        <EffectBadge effect={effect} />
      </div>
      <p className="mt-3 text-lg font-medium">{aboutIn(language, approval)}</p>
      {loss !== null && <p className="mt-1 font-medium text-bad">{said(loss)}</p>}
      <div className="mt-5">
        <Facts
          facts={[
            ...(subject === null ? [] : [[t('subject'), subject] as const]),
            [t('cost'), cost ?? t('free')],
            [t('asked_by'), asked_by],
            [t('asked'), format.moment(created_at)],
            [t('expires'), format.moment(expires_at)],
          ]}
        />
      </div>
      {edited && <p className="mt-3 text-sm text-muted">{t('edited')}</p>}
    </section>
  )
}

/** The values, with a button that changes them before the decision. */
function EditableValues({ approval }: { approval: Approval }) {
  const t = useApprovalTexts()
  const scope = useProjectScope()
  const [text, setText] = useState<string | null>(null)
  const [refused, setRefused] = useState<{ text: string | null; why: string } | null>(null)
  const given = text === null ? null : readObject(text)
  const save = useAct({
    run: (values: Record<string, unknown>) => editArguments(scope, approval, values),
    done: t('edit_done'),
    refresh: [approvalsKey(scope)],
    onDone: () => setText(null),
    onFault({ faults }) {
      const why = faults.map(({ path, message }) => `${path.slice(1)} ${message}`).join(' · ')
      setRefused({ text, why })
      return why !== ''
    },
  })
  const why = refused?.text === text ? refused?.why || undefined : undefined
  if (text === null)
    return (
      <>
        <Values approval={approval} />
        <Button
          size="sm"
          className="self-start"
          onClick={() => setText(JSON.stringify(approval.arguments, null, 2))}
        >
          {t('edit')}
        </Button>
      </>
    )
  return (
    <section className="flex flex-col gap-3">
      <Field label={t('what')} hint={t('edit_hint')} fault={given === null ? t('edit_fault') : why}>
        <Textarea
          className="font-mono text-sm"
          rows={10}
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <div className="flex gap-2">
        <Button size="sm" onClick={() => setText(null)}>
          {t('edit_cancel')}
        </Button>
        <Button
          size="sm"
          kind="primary"
          busy={save.isPending}
          disabled={given === null}
          onClick={() => given !== null && save.mutate(given)}
        >
          {t('edit_save')}
        </Button>
      </div>
    </section>
  )
}

function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}

function Values({ approval }: { approval: Approval }) {
  const t = useApprovalTexts()
  const isEmpty = Object.keys(approval.arguments).length === 0
  return (
    <section>
      <h3 className="font-semibold">{t('what')}</h3>
      <p className="mt-0.5 mb-2 text-sm text-muted">{isEmpty ? t('no_values') : t('what_hint')}</p>
      {!isEmpty && (
        <CodeBlock label={t('what')} code={JSON.stringify(approval.arguments, null, 2)} />
      )}
    </section>
  )
}

function Outcome({ approval }: { approval: Approval }) {
  const t = useApprovalTexts()
  const language = useLanguage()
  const { decided_by, decided_at, note, problem, reply } = approval
  const format = useFormat()
  if (decided_by === null) return null
  return (
    <section className="flex flex-col gap-3">
      <h3 className="font-semibold">{t('result')}</h3>
      <p className="text-muted">
        {t(decided_by === 'person' ? 'decided_by_person' : 'decided_by_expiry')}
        {decided_at !== null && `, ${format.moment(decided_at)}`}
      </p>
      {note !== null && <p className="border-l-2 border-line-strong pl-3">{note}</p>}
      {problem !== null && (
        <ErrorState
          user_message={translateMessage(problem.user_message, language)}
          next_step={translateStep(problem.next_step ?? null, language)}
          request_id={problem.request_id}
        />
      )}
      {reply !== null && reply !== undefined && (
        <CodeBlock label={t('result')} code={JSON.stringify(reply, null, 2)} />
      )}
    </section>
  )
}

function Decide({ approval, onClose }: { approval: Approval; onClose(): void }) {
  const t = useApprovalTexts()
  const scope = useProjectScope()
  const [note, setNote] = useState('')
  const { id, input_hash } = approval
  const refresh = [approvalsKey(scope)]
  const approve = useAct({
    run: () => decide(scope, true, { id, input_hash, note }),
    done: t('done_approved'),
    refresh,
    onDone: onClose,
  })
  const reject = useAct({
    run: () => decide(scope, false, { id, input_hash, note }),
    done: t('done_rejected'),
    refresh,
    onDone: onClose,
  })
  const busy = approve.isPending || reject.isPending
  if (!scope.may('member')) return <p className="p-5 text-muted">{t('viewer')}</p>
  return (
    <footer className="sticky bottom-0 border-t border-line bg-raised p-5">
      <Field label={t('note')} hint={t('note_hint')} optional>
        <Textarea rows={2} value={note} onChange={(event) => setNote(event.target.value)} />
      </Field>
      <div className="mt-4 flex gap-2">
        <Button className="flex-1" disabled={busy} onClick={() => reject.mutate(undefined)}>
          {t('reject')}
        </Button>
        <Button
          kind="primary"
          className="flex-1"
          busy={approve.isPending}
          disabled={busy}
          onClick={() => approve.mutate(undefined)}
        >
          {t('approve')}
        </Button>
      </div>
    </footer>
  )
}

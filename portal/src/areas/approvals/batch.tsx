/** Decides several approvals at once. Each shows its exact values, as the decision is bound to them. */
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useLanguage, useServerText } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import {
  aboutIn,
  approvalQuery,
  approvalsKey,
  decide,
  type Approval,
  type ListedApproval,
} from './queries.ts'
import { useApprovalTexts } from './texts.ts'

export function Batch({ rows }: { rows: readonly ListedApproval[] }) {
  const t = useApprovalTexts()
  const scope = useProjectScope()
  const [open, setOpen] = useState(false)
  if (!scope.may('member')) return null
  return (
    <p className="border-t border-line px-5 py-3">
      <Button onClick={() => setOpen(true)}>{t('batch')}</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title={t('batch')}>
        <Choices rows={rows} onClose={() => setOpen(false)} />
      </Drawer>
    </p>
  )
}

function Choices({ rows, onClose }: { rows: readonly ListedApproval[]; onClose(): void }) {
  const t = useApprovalTexts()
  const scope = useProjectScope()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const queries = useQueries({ queries: rows.map(({ id }) => approvalQuery(scope, id)) })
  const shown = queries.flatMap(({ data }) => (data?.status === 'pending' ? [data] : []))
  const picked = shown.filter(({ id }) => chosen.includes(id))
  const act = useAct({
    async run(approves: boolean) {
      for (const { id, input_hash } of picked)
        await decide(scope, approves, { id, input_hash, note: '' })
    },
    done: t('batch_done'),
    refresh: [approvalsKey(scope)],
    onDone: onClose,
  })
  const count = picked.length
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  return (
    <div className="flex flex-col gap-5 p-5">
      <p className="text-muted">{t('batch_about')}</p>
      {shown.map((approval) => (
        <Choice
          key={approval.id}
          approval={approval}
          checked={chosen.includes(approval.id)}
          onToggle={() => toggle(approval.id)}
        />
      ))}
      <div className="flex gap-2">
        <Button disabled={count === 0 || act.isPending} onClick={() => act.mutate(false)}>
          {t('batch_reject', { count })}
        </Button>
        <Button
          kind="primary"
          busy={act.isPending}
          disabled={count === 0}
          onClick={() => act.mutate(true)}
        >
          {t('batch_approve', { count })}
        </Button>
      </div>
    </div>
  )
}

interface ChoiceProps {
  approval: Approval
  checked: boolean
  onToggle(): void
}

function Choice({ approval, checked, onToggle }: ChoiceProps) {
  const t = useApprovalTexts()
  const said = useServerText()
  const about = aboutIn(useLanguage(), approval)
  const values = JSON.stringify(approval.arguments, null, 2)
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      <label className="flex cursor-pointer items-start gap-2.5 font-medium">
        <input
          type="checkbox"
          checked={checked}
          onChange={onToggle}
          aria-label={t('batch_select', { about })}
          className="mt-0.5 size-4 shrink-0 accent-(--accent)"
        />
        <span>
          {about}
          {approval.subject !== null && (
            <span className="block font-normal wrap-anywhere">{approval.subject}</span>
          )}
          {approval.loss !== null && <span className="block text-bad">{said(approval.loss)}</span>}
          {approval.cost !== null && <span className="block font-normal">{approval.cost}</span>}
          <span className="block text-sm font-normal text-muted">{approval.asked_by}</span>
        </span>
      </label>
      <CodeBlock label={about} code={values} />
    </div>
  )
}

/** The drawer that approves actions of an agent in advance, each with a cap. */
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { submit } from '../../ui/forms/submit.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { useActionName } from './builder/actions.ts'
import { agentsKey, setPolicy, type Agent } from './queries.ts'
import { useAgentTexts } from './texts.ts'

/** Actions that can be approved in advance; the server decides. */
const loosenable = [
  'emails.create',
  'messages.send',
  'calls.place',
  'orders.create',
  'payment_links.create',
]

interface PolicyProps {
  agent: Agent
  open: boolean
  onClose(): void
}

export function PolicyDrawer({ agent, open, onClose }: PolicyProps) {
  const t = useAgentTexts()
  return (
    <Drawer open={open} onClose={onClose} title={t('policy')}>
      <PolicyForm agent={agent} onClose={onClose} />
    </Drawer>
  )
}

function PolicyForm({ agent, onClose }: Omit<PolicyProps, 'open'>) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const nameOf = useActionName()
  const { steps, actions, approval_policy } = agent
  const used = new Set([...steps, ...actions].map(({ action }) => action))
  const names = loosenable.filter((name) => used.has(name))
  const [caps, setCaps] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(approval_policy.map((one) => [one.action, String(one.max_per_day)])),
  )
  const act = useAct({
    run: () => {
      const given = names.map((action) => ({ action, max_per_day: Number(caps[action] ?? '') }))
      return setPolicy(
        scope,
        agent,
        given.filter(({ max_per_day }) => max_per_day > 0),
      )
    },
    done: t('policy_done'),
    refresh: [agentsKey(scope)],
    onDone: onClose,
  })
  return (
    <form className="flex flex-col gap-5 p-5" onSubmit={submit(() => act.mutate(undefined))}>
      <p className="text-muted">{t('policy_about')}</p>
      {names.length === 0 && <p>{t('policy_none')}</p>}
      {names.map((action) => (
        <Field key={action} label={t('policy_max', { action: nameOf(action) })}>
          <Input
            type="number"
            min={1}
            max={200}
            value={caps[action] ?? ''}
            onChange={({ target }) => setCaps({ ...caps, [action]: target.value })}
          />
        </Field>
      ))}
      {names.length > 0 && (
        <Button type="submit" kind="primary" className="self-end" busy={act.isPending}>
          {t('policy_save')}
        </Button>
      )}
    </form>
  )
}

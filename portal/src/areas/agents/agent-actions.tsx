/** The buttons that run, try, switch, edit and delete an agent. */
import { useNavigate } from '@tanstack/react-router'
import { BadgeCheck, Ellipsis, FlaskConical, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/actions/menu.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { Builder } from './builder/builder.tsx'
import { PolicyDrawer } from './policy-drawer.tsx'
import { agentsKey, removeAgent, startRun, switchAgent, tryAgent, type Agent } from './queries.ts'
import { useAgentTexts } from './texts.ts'

export interface AgentActionsProps {
  agent: Agent
  onStarted(run_ids: string[]): void
}

export function AgentActions({ agent, onStarted }: AgentActionsProps) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const [opens, setOpens] = useState<'builder' | 'removal' | 'policy' | null>(null)
  const { id, status } = agent
  const isActive = status === 'active'
  const refresh = [agentsKey(scope)]
  const start = useAct({
    run: () => startRun(scope, id),
    done: t('run_done'),
    refresh,
    onDone: (run) => onStarted([run.id]),
  })
  const trial = useAct({
    run: () => tryAgent(scope, id),
    done: t('try_done'),
    refresh,
    onDone: ({ data }) => onStarted(data.map((run) => run.id)),
  })
  const change = useAct({
    run: (isOn: boolean) => switchAgent(scope, id, isOn),
    done: t(isActive ? 'disabled_done' : 'enabled_done'),
    refresh,
  })
  return (
    <>
      {isActive ? (
        <Button kind="primary" busy={start.isPending} onClick={() => start.mutate(undefined)}>
          <Play aria-hidden="true" />
          {t('run')}
        </Button>
      ) : (
        <Button kind="primary" busy={change.isPending} onClick={() => change.mutate(true)}>
          <Power aria-hidden="true" />
          {t('enable')}
        </Button>
      )}
      <Button busy={trial.isPending} onClick={() => trial.mutate(undefined)}>
        <FlaskConical aria-hidden="true" />
        {t('try')}
      </Button>
      <Button onClick={() => setOpens('builder')}>
        <Pencil aria-hidden="true" />
        {t('edit')}
      </Button>
      <MoreActions
        isActive={isActive}
        onDisable={() => change.mutate(false)}
        onPolicy={() => setOpens('policy')}
        onRemove={() => setOpens('removal')}
      />
      <Builder
        agent={agent}
        open={opens === 'builder'}
        onClose={() => setOpens(null)}
        onSaved={() => setOpens(null)}
      />
      <PolicyDrawer agent={agent} open={opens === 'policy'} onClose={() => setOpens(null)} />
      <Removal id={id} open={opens === 'removal'} onClose={() => setOpens(null)} />
    </>
  )
}

interface MoreActionsProps {
  isActive: boolean
  onDisable(): void
  onPolicy(): void
  onRemove(): void
}

function MoreActions({ isActive, onDisable, onPolicy, onRemove }: MoreActionsProps) {
  const t = useAgentTexts()
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="ghost" size="icon" aria-label={t('actions')}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    >
      {isActive && (
        <MenuItem icon={<Power aria-hidden="true" />} onSelect={onDisable}>
          {t('disable')}
        </MenuItem>
      )}
      <MenuItem icon={<BadgeCheck aria-hidden="true" />} onSelect={onPolicy}>
        {t('policy')}
      </MenuItem>
      <MenuLine />
      <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={onRemove}>
        {t('remove')}
      </MenuItem>
    </Menu>
  )
}

function Removal({ id, open, onClose }: { id: string; open: boolean; onClose(): void }) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const act = useAct({
    run: () => removeAgent(scope, id),
    done: t('removed_done'),
    onDone: () => void navigate({ to: scope.link('/agents') }),
  })
  return (
    <AlertDialog
      open={open}
      onOpenChange={onClose}
      title={t('remove_title')}
      about={t('remove_about')}
      action={t('remove')}
      busy={act.isPending}
      onConfirm={() => act.mutate(undefined)}
    />
  )
}

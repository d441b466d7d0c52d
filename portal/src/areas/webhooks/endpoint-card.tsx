/** An endpoint: its state, its events and its actions. */
import { Ellipsis, Power, RefreshCw, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/actions/menu.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { say, showError } from '../../ui/overlays/toast.tsx'
import { cx } from '../../ui/class-names.ts'
import { SecretOnce } from './create-endpoint.tsx'
import {
  deleteEndpoint,
  enableEndpoint,
  rotateSecret,
  testEndpoint,
  webhooksKey,
  type Endpoint,
} from './queries.ts'
import { useWebhookTexts } from './texts.ts'

export interface EndpointCardProps {
  endpoint: Endpoint
  selected: boolean
  onSelect(): void
}

export function EndpointCard({ endpoint, selected, onSelect }: EndpointCardProps) {
  const t = useWebhookTexts()
  const { url, events, last_success_at } = endpoint
  const { host, pathname } = new URL(url)
  return (
    <li
      className={cx(
        'relative rounded-xl border bg-surface p-4 shadow-card transition-colors',
        selected ? 'border-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="flex items-start gap-2">
        <button
          type="button"
          aria-pressed={selected}
          onClick={onSelect}
          className="min-w-0 flex-1 text-left outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          <span className="block truncate font-medium">{host}</span>
          <span className="block truncate font-mono text-xs text-faint">{pathname}</span>
        </button>
        <StateBadge endpoint={endpoint} />
        <div className="relative z-10 -m-1.5">
          <EndpointActions endpoint={endpoint} />
        </div>
      </div>
      <p className="mt-3 flex flex-wrap gap-x-4 text-sm text-muted">
        <span title={events.join(', ')}>{t('events_count', { count: events.length })}</span>
        <span>
          {t('last_success')}:{' '}
          {last_success_at === null ? t('never') : <Moment at={last_success_at} />}
        </span>
      </p>
      <Warning endpoint={endpoint} />
    </li>
  )
}

function StateBadge({ endpoint: { active, consecutive_failures } }: { endpoint: Endpoint }) {
  const t = useWebhookTexts()
  if (!active) return <Badge tone="bad">{t('disabled')}</Badge>
  if (consecutive_failures > 0) return <Badge tone="warn">{t('failing')}</Badge>
  return (
    <Badge tone="good" dot>
      {t('active')}
    </Badge>
  )
}

function Warning({ endpoint: { active, warning } }: { endpoint: Endpoint }) {
  const t = useWebhookTexts()
  if (!active) return <p className="mt-2 text-sm text-bad">{t('disabled_about')}</p>
  if (warning === null) return null
  const { failures, disabled_at_failures } = warning
  return (
    <p className="mt-2 text-sm text-warn">
      {t('failing_about', { count: failures, max: disabled_at_failures })}
    </p>
  )
}

type Question = 'rotate' | 'remove' | null

function EndpointActions({ endpoint: { id, active } }: { endpoint: Endpoint }) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  const [asks, setAsks] = useState<Question>(null)
  const test = useTestEndpoint(id)
  const enable = useAct({
    run: () => enableEndpoint(scope, id),
    done: t('done_enabled'),
    refresh: [webhooksKey(scope)],
  })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions')}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        {active ? (
          <MenuItem icon={<Send aria-hidden="true" />} onSelect={() => test.mutate(undefined)}>
            {t('send_test')}
          </MenuItem>
        ) : (
          <MenuItem icon={<Power aria-hidden="true" />} onSelect={() => enable.mutate(undefined)}>
            {t('enable')}
          </MenuItem>
        )}
        <MenuItem icon={<RefreshCw aria-hidden="true" />} onSelect={() => setAsks('rotate')}>
          {t('rotate')}
        </MenuItem>
        <MenuLine />
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks('remove')}>
          {t('remove')}
        </MenuItem>
      </Menu>
      <RotateDialogs id={id} open={asks === 'rotate'} onClose={() => setAsks(null)} />
      <RemoveDialog id={id} open={asks === 'remove'} onClose={() => setAsks(null)} />
    </>
  )
}

interface QuestionProps {
  id: string
  open: boolean
  onClose(): void
}

/** Asks for confirmation, then shows the new secret once. */
function RotateDialogs({ id, open, onClose }: QuestionProps) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  const [secret, setSecret] = useState<string | null>(null)
  const act = useAct({
    run: () => rotateSecret(scope, id),
    refresh: [webhooksKey(scope)],
    onDone(result) {
      onClose()
      setSecret(result.secret)
    },
  })
  return (
    <>
      <AlertDialog
        open={open}
        onOpenChange={onClose}
        title={t('rotate_title')}
        about={t('rotate_about')}
        action={t('rotate')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
      <Dialog
        open={secret !== null}
        onClose={() => setSecret(null)}
        title={t('rotated_title')}
        about={t('created_about')}
      >
        <SecretOnce secret={secret ?? ''} onClose={() => setSecret(null)} />
      </Dialog>
    </>
  )
}

function RemoveDialog({ id, open, onClose }: QuestionProps) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => deleteEndpoint(scope, id),
    done: t('done_removed'),
    refresh: [webhooksKey(scope)],
    onDone: onClose,
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

/** Sends a test event, and reports whether it arrived. */
export function useTestEndpoint(id: string) {
  const t = useWebhookTexts()
  const scope = useProjectScope()
  return useAct({
    run: () => testEndpoint(scope, id),
    refresh: [webhooksKey(scope)],
    onDone({ status }) {
      if (status === 'delivered') say(t('test_delivered'))
      else showError(t('test_failed'))
    },
  })
}

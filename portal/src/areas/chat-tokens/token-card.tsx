/** One token: where it works, today's use beside its limits, and its actions. */
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../ui/actions/menu.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { revokeToken, tokensKey, type ChatToken } from './queries.ts'
import { useTokenTexts } from './texts.ts'
import { DEFAULT_COLOUR } from './theme-preview.tsx'

export interface TokenCardProps {
  token: ChatToken
  onEdit(): void
}

export function TokenCard({ token, onEdit }: TokenCardProps) {
  const { may } = useProjectScope()
  const { name, start, active, theme } = token
  return (
    <li className="rounded-xl border border-line bg-surface p-5 shadow-card">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="mt-1 size-4 shrink-0 rounded-full border border-line-strong"
          style={{ background: theme.color ?? DEFAULT_COLOUR }}
        />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">{name}</h2>
          <p className="truncate font-mono text-xs text-muted">{start}…</p>
        </div>
        <Badges token={token} />
        {active && may('member') && (
          <div className="-m-1.5">
            <TokenActions token={token} onEdit={onEdit} />
          </div>
        )}
      </div>
      <Origins token={token} />
      {active && <Limits token={token} />}
      <LastUsed token={token} />
    </li>
  )
}

function Badges({ token: { active, site_id, test, daily_conversation_limit, ...token } }: Shown) {
  const t = useTokenTexts()
  const isOff = daily_conversation_limit === 0 || (token.daily_spend_limit_eur === 0 && !test)
  return (
    <div className="flex flex-wrap justify-end gap-1.5">
      {test && <Badge tone="warn">{t('is_test')}</Badge>}
      {site_id !== null && <Badge>{t('of_site')}</Badge>}
      {active && isOff && <Badge tone="bad">{t('off')}</Badge>}
      {active ? (
        <Badge tone="good" dot>
          {t('active')}
        </Badge>
      ) : (
        <Badge>{t('revoked')}</Badge>
      )}
    </div>
  )
}

interface Shown {
  token: ChatToken
}

function Origins({ token: { allowed_origins } }: Shown) {
  const t = useTokenTexts()
  return (
    <div className="mt-4 text-sm">
      <p className="text-muted">{t('origins')}</p>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {allowed_origins.map((origin) => (
          <li
            key={origin}
            className="max-w-full truncate rounded-md bg-hover px-2 py-0.5 font-mono text-xs"
          >
            {origin}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Limits({ token }: Shown) {
  const t = useTokenTexts()
  const format = useFormat()
  const { daily_conversation_limit, daily_spend_limit_eur, used_today } = token
  return (
    <div className="mt-4 grid gap-4 sm:grid-cols-2">
      <Meter
        label={t('conversations_today')}
        used={used_today.conversations}
        max={daily_conversation_limit}
        write={format.number}
      />
      <Meter
        label={t('spent_today')}
        used={used_today.spent_eur}
        max={daily_spend_limit_eur}
        write={format.euro}
      />
    </div>
  )
}

interface MeterProps {
  label: string
  used: number
  max: number
  write(value: number): string
}

const NEARLY_FULL = 80

function Meter({ label, used, max, write }: MeterProps) {
  const t = useTokenTexts()
  const share = max === 0 ? 100 : Math.min(100, Math.round((used / max) * 100))
  return (
    <div className="text-sm">
      <p className="flex justify-between gap-2">
        <span className="text-muted">{label}</span>
        <span className="tabular-nums">{t('used_of', { used: write(used), max: write(max) })}</span>
      </p>
      <div
        role="meter"
        aria-label={label}
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={`h-full rounded-full ${share >= NEARLY_FULL ? 'bg-test-band' : 'bg-accent'}`}
          style={{ width: `${share}%` }}
        />
      </div>
    </div>
  )
}

function LastUsed({ token: { challenge, last_used_at } }: Shown) {
  const t = useTokenTexts()
  return (
    <p className="mt-4 flex flex-wrap gap-x-2 text-sm text-muted">
      <span>
        {t('verification')}: {t(challenge)}
      </span>
      <span aria-hidden="true">·</span>
      <span>
        {t('last_used')}: {last_used_at === null ? t('never') : <Moment at={last_used_at} />}
      </span>
    </p>
  )
}

function TokenActions({ token: { id, name }, onEdit }: TokenCardProps) {
  const t = useTokenTexts()
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => revokeToken(scope, id),
    done: t('revoked_done'),
    refresh: [tokensKey(scope)],
    onDone: () => setAsks(false),
  })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions', { name })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={onEdit}>
          {t('edit')}
        </MenuItem>
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
          {t('revoke')}
        </MenuItem>
      </Menu>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('revoke_title', { name })}
        about={t('revoke_about')}
        action={t('revoke')}
        typed={{ text: name, label: t('revoke_type', { name }) }}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}

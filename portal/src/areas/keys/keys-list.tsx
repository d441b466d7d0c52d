/** The API keys, each with its rights and its actions. */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Pencil, Plus, SlidersHorizontal, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { OperationDialog } from '../../api/operation-form.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/actions/menu.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ReachDialog } from '../access/reach-dialog.tsx'
import { changeKey, keysKey, keysQuery, revokeKey, type Key } from './queries.ts'
import { keyScopes, useScopeTexts } from './scope-texts.ts'
import { useKeyTexts } from './texts.ts'

export function KeysList({ onCreate }: { onCreate(): void }) {
  const query = useQuery(keysQuery(useProjectScope()))
  return (
    <Card flush>
      <QueryState query={query}>{(keys) => <Keys keys={keys} onCreate={onCreate} />}</QueryState>
    </Card>
  )
}

function Keys({ keys, onCreate }: { keys: readonly Key[]; onCreate(): void }) {
  const t = useKeyTexts()
  const [all, setAll] = useState(false)
  const active = useMemo(() => keys.filter((key) => !isEnded(key)), [keys])
  const ended = keys.length - active.length
  return (
    <>
      {active.length === 0 && !all ? (
        <EmptyState
          icon={<KeyRound aria-hidden="true" />}
          title={t('empty')}
          about={t('empty_about')}
          sentence={t('sentence')}
          action={
            <Button kind="primary" onClick={onCreate}>
              <Plus aria-hidden="true" />
              {t('create')}
            </Button>
          }
        />
      ) : (
        <KeyTable keys={all ? keys : active} />
      )}
      {ended > 0 && (
        <p className="border-t border-line px-3 py-2">
          <Button kind="ghost" size="sm" onClick={() => setAll(!all)}>
            {all ? t('hide_ended') : t('show_ended', { count: ended })}
          </Button>
        </p>
      )}
    </>
  )
}

/** Sorts after every time. */
const NEVER = '~'

function isExpired({ expires_at }: Key): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now()
}

function isEnded(key: Key): boolean {
  return key.revoked_at !== null || isExpired(key)
}

function KeyTable({ keys }: { keys: readonly Key[] }) {
  const t = useKeyTexts()
  const columns: Column<Key>[] = [
    {
      id: 'name',
      title: t('name'),
      sortBy: ({ name }) => name.toLowerCase(),
      cell: (key) => <KeyName row={key} />,
    },
    {
      id: 'scopes',
      title: t('permissions'),
      from: 'sm',
      cell: (key) => <Rights scopes={key.scopes} limited={key.access !== null} />,
    },
    {
      id: 'created_at',
      title: t('created'),
      from: 'md',
      sortBy: ({ created_at }) => created_at,
      cell: ({ created_at, created_by }) => (
        <>
          <Moment at={created_at} />
          {created_by !== null && (
            <span className="block text-xs text-faint">{t('by', { email: created_by })}</span>
          )}
        </>
      ),
    },
    {
      id: 'expires_at',
      title: t('expires'),
      from: 'md',
      sortBy: ({ expires_at }) => expires_at ?? NEVER,
      cell: ({ expires_at }) =>
        expires_at === null ? (
          <span className="text-faint">{t('never_expires')}</span>
        ) : (
          <Moment at={expires_at} />
        ),
    },
    {
      id: 'last_used_at',
      title: t('last_used'),
      from: 'lg',
      sortBy: ({ last_used_at }) => last_used_at ?? '',
      cell: ({ last_used_at }) =>
        last_used_at === null ? (
          <span className="text-faint">{t('never_used')}</span>
        ) : (
          <Moment at={last_used_at} />
        ),
    },
    {
      id: 'actions',
      title: t('actions_title'),
      untitled: true,
      align: 'right',
      cell: (key) => <KeyActions row={key} />,
    },
  ]
  return <Table label={t('keys')} columns={columns} rows={keys} keyOf={({ id }) => id} />
}

function KeyName({ row }: { row: Key }) {
  const t = useKeyTexts()
  const format = useFormat()
  return (
    <>
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {row.name}
        <Badge tone={row.mode === 'test' ? 'warn' : 'good'}>{t(row.mode)}</Badge>
        {isEnded(row) && (
          <Badge tone="bad">{t(row.revoked_at === null ? 'expired' : 'revoked')}</Badge>
        )}
      </span>
      <code className="font-mono text-xs text-faint">{row.start}…</code>
      <span className="block text-sm text-muted sm:hidden">
        <Rights scopes={row.scopes} limited={row.access !== null} />
      </span>
      {row.expires_at !== null && (
        <span className="block text-sm text-muted md:hidden">
          {t('expires_when', { when: format.ago(row.expires_at) })}
        </span>
      )}
    </>
  )
}

const WORDS_SHOWN = 2

/** The permissions of a key or connection in words. */
export function Rights({ scopes, limited }: { scopes: readonly string[]; limited: boolean }) {
  const t = useKeyTexts()
  const say = useScopeTexts()
  const words = keyScopes.filter((scope) => scopes.includes(scope)).map((scope) => say(scope))
  const isFull = words.length === keyScopes.length
  const readable = keyScopes.filter((scope) => scope.endsWith(':read'))
  const isReading =
    words.length === readable.length && readable.every((one) => scopes.includes(one))
  const count = words.length - WORDS_SHOWN
  const listed = [...words.slice(0, WORDS_SHOWN), ...(count > 0 ? [t('more', { count })] : [])]
  return (
    <span title={words.join(', ')}>
      {isFull ? t('full') : isReading ? t('read_only') : listed.join(' · ')}
      {limited && <span className="block text-xs text-faint">{t('limited')}</span>}
    </span>
  )
}

function KeyActions({ row }: { row: Key }) {
  const t = useKeyTexts()
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const [renames, setRenames] = useState(false)
  const [limits, setLimits] = useState(false)
  const act = useAct({
    run: () => revokeKey(scope, row.id),
    done: t('done_revoked'),
    refresh: [keysKey(scope)],
    onDone: () => setAsks(false),
  })
  if (row.revoked_at !== null) return null
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions', { name: row.name })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Pencil aria-hidden="true" />} onSelect={() => setRenames(true)}>
          {t('rename')}
        </MenuItem>
        <MenuItem icon={<SlidersHorizontal aria-hidden="true" />} onSelect={() => setLimits(true)}>
          {t('limit')}
        </MenuItem>
        <MenuLine />
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
          {t('revoke')}
        </MenuItem>
      </Menu>
      {limits && (
        <ReachDialog
          name={row.name}
          reach={row.access}
          save={(access) => changeKey(scope, row.id, { access })}
          refresh={[keysKey(scope)]}
          onClose={() => setLimits(false)}
        />
      )}
      {renames && (
        <OperationDialog
          operation="keys.change"
          title={t('rename')}
          fields={[{ path: 'name', label: t('name'), initial: row.name, required: true }]}
          action={t('save')}
          done={t('done_renamed')}
          refresh={[keysKey(scope)]}
          run={({ name }: { name: string }) => changeKey(scope, row.id, { name })}
          onClose={() => setRenames(false)}
          onDone={() => setRenames(false)}
        />
      )}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('revoke_title', { name: row.name })}
        about={t('revoke_about')}
        action={t('revoke')}
        busy={act.isPending}
        typed={{ text: row.name, label: t('revoke_label', { name: row.name }) }}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}

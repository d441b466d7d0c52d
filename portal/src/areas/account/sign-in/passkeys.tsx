/** The passkeys of the signed-in person: adding, renaming and removing. */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, FingerprintPattern, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../../ui/actions/menu.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { AddPasskeyDialog, RenamePasskeyDialog } from './passkey-dialogs.tsx'
import { createsPasskeys, passkeysQuery, removePasskey, type Passkey } from '../queries.ts'
import { usePasskeyTexts } from './passkey-texts.ts'

export function Passkeys() {
  const t = usePasskeyTexts()
  const query = useQuery(passkeysQuery)
  const [adds, setAdds] = useState(false)
  const mayAdd = createsPasskeys && query.data?.available === true
  const button = (
    <Button size="sm" onClick={() => setAdds(true)}>
      <Plus aria-hidden="true" />
      {t('add')}
    </Button>
  )
  return (
    <Card title={t('title')} about={t('about')} flush {...(mayAdd && { aside: button })}>
      <QueryState query={query}>
        {({ data, available }) => (
          <>
            {data.length === 0 ? (
              <EmptyState
                icon={<FingerprintPattern aria-hidden="true" />}
                title={t('empty')}
                about={t(available ? 'empty_about' : 'unavailable')}
              />
            ) : (
              <ul className="divide-y divide-line">
                {data.map((row) => (
                  <PasskeyRow key={row.id} row={row} />
                ))}
              </ul>
            )}
            {available && !createsPasskeys && (
              <p className="px-5 pb-4 text-sm text-muted">{t('no_browser')}</p>
            )}
          </>
        )}
      </QueryState>
      {adds && <AddPasskeyDialog onClose={() => setAdds(false)} />}
    </Card>
  )
}

function PasskeyRow({ row }: { row: Passkey }) {
  const t = usePasskeyTexts()
  const format = useFormat()
  const { name, synced, created_at, used_at } = row
  return (
    <li className="flex items-center gap-3.5 px-5 py-3.5">
      <FingerprintPattern className="size-4.5 shrink-0 text-faint" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          <Badge>{t(synced ? 'synced' : 'one_device')}</Badge>
        </p>
        <p className="text-sm text-muted">
          {t('added', { when: format.ago(created_at) })} ·{' '}
          {used_at === null ? t('never') : t('used', { when: format.ago(used_at) })}
        </p>
      </div>
      <PasskeyActions row={row} />
    </li>
  )
}

function PasskeyActions({ row }: { row: Passkey }) {
  const t = usePasskeyTexts()
  const [renames, setRenames] = useState(false)
  const [asks, setAsks] = useState(false)
  const act = useAct({
    run: () => removePasskey(row.id),
    done: t('removed'),
    refresh: [['passkeys'], ['sessions']],
    onDone: () => setAsks(false),
  })
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
        <MenuLine />
        <MenuItem danger icon={<Trash2 aria-hidden="true" />} onSelect={() => setAsks(true)}>
          {t('remove')}
        </MenuItem>
      </Menu>
      {renames && <RenamePasskeyDialog row={row} onClose={() => setRenames(false)} />}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('remove_title', { name: row.name })}
        about={t('remove_about')}
        action={t('remove')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}

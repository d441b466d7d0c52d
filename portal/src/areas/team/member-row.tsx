/** A member: role, limits and actions. */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, SlidersHorizontal, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { meQuery, type Role } from '../../api/session.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Menu, MenuItem } from '../../ui/actions/menu.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { ReachDialog } from '../access/reach-dialog.tsx'
import { changeMember, removeMember, teamKey, type Member } from './queries.ts'
import { useTeamTexts } from './texts.ts'

export function MemberRow({ row }: { row: Member }) {
  const t = useTeamTexts()
  const scope = useProjectScope()
  const { data: me } = useQuery(meQuery)
  const isMe = me?.person.id === row.person_id
  const mayChange = scope.may('admin') && scope.may(row.role) && !isMe
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <span
        aria-hidden="true"
        className="grid size-9 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent uppercase"
      >
        {(row.name ?? row.email).slice(0, 2)}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{row.name ?? row.email}</span>
          {isMe && <Badge tone="accent">{t('you')}</Badge>}
        </p>
        <p className="truncate text-sm text-muted">
          {row.name === null ? null : `${row.email} · `}
          {t(row.access === null ? 'whole' : 'some')}
        </p>
      </div>
      {mayChange ? <RoleSelect row={row} /> : <Badge>{t(row.role)}</Badge>}
      {(mayChange || isMe) && <MemberActions row={row} isMe={isMe} />}
    </li>
  )
}

function RoleSelect({ row }: { row: Member }) {
  const t = useTeamTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: (role: Role) =>
      changeMember(scope, row.person_id, { role, access: role === 'owner' ? null : row.access }),
    done: t('done_role'),
    refresh: [teamKey(scope)],
  })
  const roles = (['viewer', 'member', 'admin', 'owner'] as const).filter((role) => scope.may(role))
  return (
    <div className="w-36">
      <Select
        label={t('change_role', { email: row.email })}
        value={act.isPending ? act.variables : row.role}
        onChange={(role) => act.mutate(role)}
        choices={roles.map((role) => ({ value: role, text: t(role) }))}
      />
    </div>
  )
}

function MemberActions({ row, isMe }: { row: Member; isMe: boolean }) {
  const t = useTeamTexts()
  const scope = useProjectScope()
  const [asks, setAsks] = useState(false)
  const [limits, setLimits] = useState(false)
  const act = useAct({
    run: () => removeMember(scope, row.person_id),
    done: t('done_removed'),
    refresh: [teamKey(scope), ['projects']],
    onDone: () => setAsks(false),
  })
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button kind="ghost" size="icon" aria-label={t('actions', { email: row.email })}>
            <Ellipsis aria-hidden="true" />
          </Button>
        }
      >
        {!isMe && row.role !== 'owner' && (
          <MenuItem
            icon={<SlidersHorizontal aria-hidden="true" />}
            onSelect={() => setLimits(true)}
          >
            {t('limits')}
          </MenuItem>
        )}
        <MenuItem danger icon={<UserMinus aria-hidden="true" />} onSelect={() => setAsks(true)}>
          {t(isMe ? 'leave' : 'remove')}
        </MenuItem>
      </Menu>
      {limits && (
        <ReachDialog
          name={row.email}
          reach={row.access}
          save={(access) => changeMember(scope, row.person_id, { role: row.role, access })}
          refresh={[teamKey(scope)]}
          onClose={() => setLimits(false)}
        />
      )}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('remove_title', { email: row.email })}
        about={t('remove_about')}
        action={t(isMe ? 'leave' : 'remove')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}

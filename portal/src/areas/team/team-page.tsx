/** The page of the members of the project and of its invitations. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { UserPlus } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { invitationsQuery, membersQuery, teamKey, withdraw, type Invitation } from './queries.ts'
import { useTeamTexts } from './texts.ts'

export function Page() {
  const t = useTeamTexts()
  const scope = useProjectScope()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const members = useQuery(membersQuery(scope))
  const manages = scope.may('admin')
  const invite = (open: boolean) => void navigate({ to: '.', hash: open ? 'new' : '' })
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={
          manages && (
            <Button kind="primary" onClick={() => invite(true)}>
              <UserPlus aria-hidden="true" />
              {t('invite')}
            </Button>
          )
        }
      />
      <div className="flex flex-col gap-6">
        <Card flush title={t('members')}>
          <QueryState query={members}>
            {(rows) => (
              <ul className="divide-y divide-line">
                {rows.map((row) => (
                  <MemberRow key={row.person_id} row={row} />
                ))}
              </ul>
            )}
          </QueryState>
        </Card>
        {manages && <Invitations />}
      </div>
      {manages && <InviteDialog open={hash === 'new'} onOpenChange={invite} />}
    </>
  )
}

function Invitations() {
  const t = useTeamTexts()
  const query = useQuery(invitationsQuery(useProjectScope()))
  return (
    <Card flush title={t('invited')}>
      <QueryState query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="px-5 pb-5 text-muted">{t('empty_invited')}</p>
          ) : (
            <ul className="divide-y divide-line">
              {rows.map((row) => (
                <InvitationRow key={row.id} row={row} />
              ))}
            </ul>
          )
        }
      </QueryState>
    </Card>
  )
}

function InvitationRow({ row }: { row: Invitation }) {
  const t = useTeamTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const act = useAct({
    run: () => withdraw(scope, row.id),
    done: t('done_withdrawn'),
    refresh: [teamKey(scope)],
  })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-48 flex-1">
        <p className="truncate font-medium">{row.email}</p>
        <p className="text-sm text-muted">{t('expires', { when: format.ago(row.expires_at) })}</p>
      </div>
      <Badge>{t(row.role)}</Badge>
      {row.url !== null && <CopyButton text={row.url} label={t('copy_link')} kind="secondary" />}
      <Button size="sm" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        {t('withdraw')}
      </Button>
    </li>
  )
}

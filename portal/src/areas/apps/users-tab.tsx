/** People who signed in to an app. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { ListTable } from '../../api/list-table.tsx'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { appsKey, blockUser, usersQuery, type AppUser } from './queries.ts'
import { useAppTexts } from './texts.ts'

export function UsersTab({ id }: { id: string }) {
  const t = useAppTexts()
  const query = useInfiniteQuery(usersQuery(useProjectScope(), id))
  return (
    <Card flush>
      <ListTable
        query={query}
        label={t('users')}
        more={t('more')}
        columns={useColumns(id)}
        icon={<Users aria-hidden="true" />}
        empty={{ title: t('users_empty'), about: t('users_empty_about') }}
      />
    </Card>
  )
}

function useColumns(app_id: string): Column<AppUser>[] {
  const t = useAppTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: ({ id, blocked }: AppUser) => blockUser(scope, app_id, { id, blocked: !blocked }),
    refresh: [appsKey(scope)],
  })
  return [
    {
      id: 'email',
      title: t('email'),
      cell: ({ email, blocked }) => (
        <span className="flex flex-wrap gap-2 wrap-anywhere">
          {email}
          {blocked && <Badge tone="bad">{t('blocked')}</Badge>}
        </span>
      ),
    },
    {
      id: 'ways',
      title: t('ways'),
      from: 'md',
      cell: ({ has_password, passkeys }) =>
        [
          t('way_code'),
          ...(has_password ? [t('way_password')] : []),
          ...(passkeys > 0 ? [t('way_passkeys', { count: passkeys })] : []),
        ].join(', '),
    },
    {
      id: 'last_seen',
      title: t('last_seen'),
      from: 'sm',
      cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    },
    {
      id: 'actions',
      title: t('actions'),
      untitled: true,
      align: 'right',
      cell: (user) =>
        scope.may('admin') && (
          <Button size="sm" onClick={() => act.mutate(user)}>
            {t(user.blocked ? 'unblock' : 'block')}
          </Button>
        ),
    },
  ]
}

/** Where the person is signed in, with a way to end each session. */
import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { signOut } from '../../shell/sign-out.ts'
import { describeDevice } from './device.ts'
import { endSession, sessionsQuery, type Session } from './queries.ts'
import { useAccountTexts } from './texts.ts'

export function Sessions() {
  const t = useAccountTexts()
  const query = useQuery(sessionsQuery)
  return (
    <Card title={t('sessions')} about={t('sessions_about')} flush>
      <QueryState query={query}>
        {(sessions) => (
          <ul className="divide-y divide-line">
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </QueryState>
    </Card>
  )
}

function SessionRow({ session: { id, device, network, seen_at, current } }: { session: Session }) {
  const t = useAccountTexts()
  const format = useFormat()
  const end = useAct({
    run: () => endSession(id),
    done: t('session_ended'),
    refresh: [['sessions']],
  })
  const { name, isPhone } = describeDevice(device)
  const Icon = isPhone ? Smartphone : Monitor
  return (
    <li className="flex items-center gap-3.5 px-5 py-3.5">
      <Icon className="size-4.5 shrink-0 text-faint" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {current && <Badge tone="good">{t('this_browser')}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {network} · {t('last_used', { when: format.ago(seen_at) })}
        </p>
      </div>
      <Button
        size="sm"
        aria-label={`${t('sign_out')}: ${name}`}
        busy={end.isPending}
        onClick={() => (current ? signOut() : end.mutate(undefined))}
      >
        {t('sign_out')}
      </Button>
    </li>
  )
}

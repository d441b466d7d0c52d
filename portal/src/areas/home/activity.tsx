/** The latest calls, documents and other records that the person may see. */
import { useQuery } from '@tanstack/react-query'
import {
  Activity as ActivityIcon,
  CircleCheckBig,
  Database,
  PhoneCall,
  Plug,
  Wallet,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { useLanguage } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { aboutIn, approvalsQuery } from '../approvals/queries.ts'
import { balanceQuery } from '../billing/queries.ts'
import { connectionsQuery } from '../connections/queries.ts'
import { summaryOf, useLiveDocuments } from './live-documents.ts'
import { callsQuery } from './queries.ts'
import { useHomeTexts } from './texts.ts'

const SHOWN_MAX = 8

interface Happening {
  id: string
  at: string
  icon: ReactNode
  title: string
  note: string | null
}

export function Activity() {
  const t = useHomeTexts()
  const { happenings, isLoading } = useHappenings()
  return (
    <Card flush title={t('activity')}>
      {isLoading && happenings.length === 0 ? (
        <SkeletonRows rows={4} />
      ) : happenings.length === 0 ? (
        <EmptyState
          icon={<ActivityIcon aria-hidden="true" />}
          title={t('activity_empty')}
          about={t('activity_empty_about')}
        />
      ) : (
        <ol className="pb-2">
          {happenings.map(({ id, at, icon, title, note }) => (
            <li key={id} className="flex items-start gap-3.5 px-5 py-2.5">
              <span className="mt-0.5 grid size-7 shrink-0 place-items-center rounded-full bg-hover text-muted [&_svg]:size-3.5">
                {icon}
              </span>
              <div className="min-w-0 flex-1">
                <p>{title}</p>
                {note !== null && <p className="text-sm text-muted">{note}</p>}
              </div>
              <span className="text-sm text-faint">
                <Moment at={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function useHappenings(): { happenings: Happening[]; isLoading: boolean } {
  const t = useHomeTexts()
  const language = useLanguage()
  const format = useFormat()
  const scope = useProjectScope()
  const calls = useQuery(callsQuery(scope))
  const balance = useQuery(balanceQuery(scope))
  const connections = useQuery(connectionsQuery(scope))
  const approvals = useQuery(approvalsQuery(scope))
  const { collection, documents } = useLiveDocuments()
  const all: Happening[] = [
    ...documents.map((document) => ({
      id: document.id,
      at: document.created_at,
      icon: <Database aria-hidden="true" />,
      title: t('event_document', { collection: collection?.title ?? '' }),
      note: summaryOf(document),
    })),
    ...(calls.data ?? []).map(({ id, created_at, ended_at, direction, from, to, ...call }) => ({
      id,
      at: ended_at ?? created_at,
      icon: <PhoneCall aria-hidden="true" />,
      title: direction === 'inbound' ? t('event_call', { from }) : t('event_call_out', { to }),
      note: `${t(`event_call_${call.status}`)} · ${t('minutes', { minutes: Math.ceil(call.duration_sec / 60) })}`,
    })),
    ...(balance.data?.transactions ?? []).map(({ id, created_at, description, amount_eur }) => ({
      id,
      at: created_at,
      icon: <Wallet aria-hidden="true" />,
      title: description,
      note: `${amount_eur > 0 ? '+' : ''}${format.euro(amount_eur)}`,
    })),
    ...(connections.data ?? []).map(({ id, created_at, client_name, person }) => ({
      id,
      at: created_at,
      icon: <Plug aria-hidden="true" />,
      title: t('event_connected', { name: client_name }),
      note: person.email,
    })),
    ...(approvals.data?.data ?? []).map(({ id, created_at, asked_by, ...rest }) => ({
      id,
      at: created_at,
      icon: <CircleCheckBig aria-hidden="true" />,
      title: t('event_asked', { name: asked_by }),
      note: aboutIn(language, rest),
    })),
  ]
  const happenings = all.toSorted((left, right) => right.at.localeCompare(left.at))
  return {
    happenings: happenings.slice(0, SHOWN_MAX),
    isLoading: [calls, balance, connections, approvals].some((query) => query.isLoading),
  }
}

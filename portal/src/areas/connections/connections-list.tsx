/** The list of connected assistants, with instructions to connect another. */
import type { UseQueryResult } from '@tanstack/react-query'
import { Plug, SlidersHorizontal, Unplug } from 'lucide-react'
import { useState } from 'react'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { defineTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Rights } from '../keys/keys-list.tsx'
import { ChangeConnectionDialog } from './change-connection.tsx'
import { ConnectBox } from './connect-box.tsx'
import { connectionsKey, endConnection, type Connection } from './queries.ts'

const useConnectionsTexts = defineTexts('connections', {
  en: {
    connected: 'Connected',
    connect: 'Connect an AI tool',
    connect_about: 'Claude, ChatGPT, Cursor and every client that speaks MCP.',
    empty: 'No AI tool is connected yet',
    empty_about:
      'Give your AI tool the address on this page. You decide what it may do before it can do anything.',
    by: 'connected by {{email}}',
    used: 'used {{when}}',
    never: 'not used yet',
    answers_to: 'answers go to {{host}}',
    change: 'Change',
    end: 'Disconnect',
    end_title: 'Disconnect {{name}}?',
    end_about: 'It loses access with its next request. You can connect it again at any time.',
    done: 'The AI tool is disconnected.',
    test: 'Test',
    live: 'Live',
  },
  nl: {
    connected: 'Gekoppeld',
    connect: 'Een AI-tool koppelen',
    connect_about: 'Claude, ChatGPT, Cursor en elk programma dat MCP spreekt.',
    empty: 'Nog geen AI-tool gekoppeld',
    empty_about:
      'Geef uw AI-tool het adres op deze pagina. U beslist wat die mag voordat die iets kan doen.',
    by: 'gekoppeld door {{email}}',
    used: 'gebruikt {{when}}',
    never: 'nog niet gebruikt',
    answers_to: 'antwoorden gaan naar {{host}}',
    change: 'Wijzigen',
    end: 'Ontkoppelen',
    end_title: '{{name}} ontkoppelen?',
    end_about:
      'Vanaf het volgende verzoek is er geen toegang meer. U kunt altijd opnieuw koppelen.',
    done: 'De AI-tool is ontkoppeld.',
    test: 'Test',
    live: 'Live',
  },
})

export function ConnectionsList({ query }: { query: UseQueryResult<Connection[]> }) {
  const t = useConnectionsTexts()
  return (
    <div className="grid gap-6 lg:grid-cols-[1.3fr_1fr] lg:items-start">
      <Card flush title={t('connected')}>
        <QueryState query={query}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState
                icon={<Plug aria-hidden="true" />}
                title={t('empty')}
                about={t('empty_about')}
              />
            ) : (
              <ul className="divide-y divide-line">
                {rows.map((row) => (
                  <ConnectionRow key={row.id} row={row} />
                ))}
              </ul>
            )
          }
        </QueryState>
      </Card>
      <Card title={t('connect')} about={t('connect_about')}>
        <ConnectBox />
      </Card>
    </div>
  )
}

function ConnectionRow({ row }: { row: Connection }) {
  const t = useConnectionsTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const [changes, setChanges] = useState(false)
  const used = row.last_used_at
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-4">
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {row.client_name}
          <Badge tone={row.mode === 'test' ? 'warn' : 'good'}>{t(row.mode)}</Badge>
        </p>
        <p className="text-sm text-muted">
          {t('by', { email: row.person.email })} ·{' '}
          {used === null ? t('never') : t('used', { when: format.ago(used) })}
        </p>
        <p className="text-xs text-faint">{t('answers_to', { host: row.redirect_host })}</p>
      </div>
      <div className="text-sm text-muted">
        <Rights scopes={row.scopes} limited={row.access !== null} />
      </div>
      <Button
        size="sm"
        aria-label={`${t('change')}: ${row.client_name}`}
        onClick={() => setChanges(true)}
      >
        <SlidersHorizontal aria-hidden="true" />
        {t('change')}
      </Button>
      <ConfirmedAct
        title={t('end_title', { name: row.client_name })}
        about={t('end_about')}
        text={t('end')}
        run={() => endConnection(scope, row.id)}
        done={t('done')}
        refresh={[connectionsKey(scope)]}
        button={(ask) => (
          <Button size="sm" onClick={ask}>
            <Unplug aria-hidden="true" />
            {t('end')}
          </Button>
        )}
      />
      {changes && <ChangeConnectionDialog row={row} onClose={() => setChanges(false)} />}
    </li>
  )
}

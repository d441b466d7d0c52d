/** The log of an app, newest first, live. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useState } from 'react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { logQuery, type LogLevel, type LogLine } from './queries.ts'
import { useAppTexts } from './texts.ts'

export function LogTab({ id }: { id: string }) {
  const t = useAppTexts()
  const [level, setLevel] = useState<LogLevel>('all')
  const query = useInfiniteQuery(logQuery(useProjectScope(), id, level))
  return (
    <Card
      title={t('log')}
      flush
      aside={
        <div className="w-40">
          <Select
            label={t('shown_lines')}
            value={level}
            onChange={setLevel}
            choices={[
              { value: 'all', text: t('all_lines') },
              { value: 'error', text: t('only_errors') },
            ]}
          />
        </div>
      }
    >
      <InfiniteList
        query={query}
        more={t('more')}
        empty={
          <EmptyState
            icon={<ScrollText aria-hidden="true" />}
            title={t('log_empty')}
            about={t('log_empty_about')}
          />
        }
      >
        {(lines) => (
          <ol aria-label={t('log')} className="divide-y divide-line">
            {lines.map((line) => (
              <Line key={line.id} line={line} />
            ))}
          </ol>
        )}
      </InfiniteList>
    </Card>
  )
}

const failures = new Set(['error', 'exception', 'system'])

function Line({ line: { at, level, text, place } }: { line: LogLine }) {
  return (
    <li className="flex flex-col gap-1 px-5 py-2.5">
      <p className="flex flex-wrap gap-x-3 text-xs text-muted">
        <Moment at={at} />
        <span className={failures.has(level) ? 'font-medium text-bad' : ''}>{level}</span>
        {place !== null && <span className="wrap-anywhere">{place}</span>}
      </p>
      <pre className="font-mono text-sm whitespace-pre-wrap wrap-anywhere">{text}</pre>
    </li>
  )
}

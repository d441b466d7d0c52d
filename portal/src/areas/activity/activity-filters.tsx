/** The filters above the activity. */
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { FilterSelect, PeriodSelect, withPart, type PartOf } from '../../ui/forms/filters.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { agentsQuery } from '../agents/queries.ts'
import { connectionsQuery } from '../connections/queries.ts'
import { keysQuery } from '../keys/queries.ts'
import { membersQuery } from '../team/queries.ts'
import type { ActivityFilter } from './queries.ts'
import { useActivityTexts } from './texts.ts'

const TYPING_MS = 300
const entryPoints = ['rest', 'mcp', 'portal', 'command_line', 'job', 'operator'] as const
const kinds = [
  'agents',
  'apps',
  'approvals',
  'assistant',
  'chat_tokens',
  'collections',
  'connections',
  'keys',
  'media',
  'members',
  'numbers',
  'projects',
  'sites',
  'webhooks',
] as const
const actorKinds = {
  person: 'people',
  api_key: 'keys',
  connection: 'connections',
  agent: 'agents',
  operator: 'operators',
  system: 'systems',
} as const

export interface ActivityFiltersProps {
  filter: ActivityFilter
  onChange(filter: ActivityFilter): void
}

export function ActivityFilters({ filter, onChange }: ActivityFiltersProps) {
  const t = useActivityTexts()
  const set = (part: PartOf<ActivityFilter>) => onChange(withPart(filter, part))
  return (
    <div className="grid grid-cols-2 gap-2.5 px-5 pb-4 lg:grid-cols-4">
      <SearchField filter={filter} onChange={onChange} />
      <ActorSelect filter={filter} onChange={onChange} />
      <FilterSelect
        label={t('filter_via')}
        all={t('all_entry_points')}
        value={filter.entry_point}
        onChange={(entry_point) => set({ entry_point })}
        choices={entryPoints.map((value) => ({ value, text: t(value) }))}
      />
      <FilterSelect<string>
        label={t('filter_kind')}
        all={t('all_kinds')}
        value={filter.resource_type}
        onChange={(resource_type) => set({ resource_type })}
        choices={kinds.map((value) => ({ value, text: t(`k_${value}`) }))}
      />
      <PeriodSelect
        label={t('filter_period')}
        all={t('all_time')}
        from={filter.from}
        onChange={(from) => set({ from })}
      />
    </div>
  )
}

/** Searches an operation such as `sites.publish`, a request id, or else the id of a record. */
function SearchField({ filter, onChange }: ActivityFiltersProps) {
  const t = useActivityTexts()
  const known = filter.operation ?? filter.request_id ?? filter.resource_id ?? ''
  const [text, setText] = useState(known)
  const [shown, setShown] = useState(known)
  const [sent, setSent] = useState<string | null>(null)
  // Another part of the page has changed the filter, and not what is typed here.
  if (shown !== known) {
    setShown(known)
    setSent(null)
    if (known !== sent) setText(known)
  }
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === known) return undefined
    const { operation: _o, request_id: _r, resource_id: _i, ...rest } = filter
    const change = () => {
      setSent(wanted)
      onChange({ ...rest, ...(wanted !== '' && searched(wanted)) })
    }
    const timer = setTimeout(change, TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, known, filter, onChange])
  return (
    <span className="relative col-span-2 block lg:col-span-4">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint"
      />
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="pl-9"
      />
    </span>
  )
}

function searched(text: string): ActivityFilter {
  if (/^[a-z_]+\.[a-z_]+$/.test(text)) return { operation: text }
  return text.startsWith('req_') ? { request_id: text } : { resource_id: text }
}

function ActorSelect({ filter, onChange }: ActivityFiltersProps) {
  const t = useActivityTexts()
  const scope = useProjectScope()
  const { data: keys = [] } = useQuery(keysQuery(scope))
  const { data: connections = [] } = useQuery(connectionsQuery(scope))
  const { data: agents = [] } = useQuery(agentsQuery(scope))
  const { data: members = [] } = useQuery(membersQuery(scope))
  const choose = (value: string | undefined) => {
    const actor_kind = kindNames.find((name) => name === value)
    const actor_id = actor_kind === undefined ? value : undefined
    onChange(withPart(filter, { actor_kind, actor_id }))
  }
  return (
    <FilterSelect<string>
      label={t('filter_who')}
      all={t('everyone')}
      value={filter.actor_id ?? filter.actor_kind}
      onChange={choose}
      choices={[
        ...kindNames.map((kind) => ({ value: kind, text: t(actorKinds[kind]) })),
        ...members.map(({ person_id, email }) => ({
          value: person_id,
          text: email,
          hint: t('person'),
        })),
        ...keys
          .filter(({ mode }) => mode === scope.mode)
          .map(({ id, name }) => ({ value: id, text: name, hint: t('api_key') })),
        ...connections
          .filter(({ mode }) => mode === scope.mode)
          .map(({ id, client_name }) => ({ value: id, text: client_name, hint: t('connection') })),
        ...agents.map(({ id, name }) => ({ value: id, text: name, hint: t('agent') })),
      ]}
    />
  )
}

const kindNames = ['person', 'api_key', 'connection', 'agent', 'operator', 'system'] as const

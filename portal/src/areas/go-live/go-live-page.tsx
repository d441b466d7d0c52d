/**
 * The page of the rails: each part of the service that goes live separately, with its missing
 * requirements.
 */
import { useQuery } from '@tanstack/react-query'
import { Banknote, Globe, Mail, MessageSquare, Phone, PhoneOutgoing } from 'lucide-react'
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { railsKey, railsQuery, switchRail, type Rail, type Task } from './queries.ts'
import { RailTasks } from './rail-tasks.tsx'
import { useGoLiveTexts } from './texts.ts'

const icons = {
  phone: Phone,
  outbound: PhoneOutgoing,
  sms: MessageSquare,
  email: Mail,
  payments: Banknote,
  domains: Globe,
} as const

export function Page() {
  const t = useGoLiveTexts()
  const scope = useProjectScope()
  const query = useQuery(railsQuery(scope))
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      {!scope.may('admin') && <p className="mb-4 text-muted">{t('admins')}</p>}
      <QueryState query={query}>
        {({ data, operator_email }) => (
          <Rails rails={data.filter(isOffered)} operator_email={operator_email} />
        )}
      </QueryState>
    </>
  )
}

/** Rails that no operation uses yet are listed only if they were switched on before. */
function isOffered({ rail, mode }: Rail): boolean {
  return mode === 'live' || (rail !== 'outbound' && rail !== 'domains')
}

interface RailsProps {
  rails: readonly Rail[]
  operator_email: string | null
}

function Rails({ rails, operator_email }: RailsProps) {
  const shared = sharedTasksOf(rails)
  return (
    <div className="flex flex-col gap-4">
      {shared.length > 0 && <SharedTasks tasks={shared} operator_email={operator_email} />}
      <ul className="flex flex-col gap-4">
        {rails.map((row) => (
          <li key={row.rail}>
            <RailCard row={row} shared={shared} operator_email={operator_email} />
          </li>
        ))}
      </ul>
    </div>
  )
}

interface SharedTasksProps {
  tasks: readonly SharedTask[]
  operator_email: string | null
}

function SharedTasks({ tasks, operator_email }: SharedTasksProps) {
  const t = useGoLiveTexts()
  const items = tasks.map(({ task, rails }) => ({
    task,
    needed_by: t('needed_by', { rails: rails.map(({ rail }) => t(`rail_${rail}`)).join(', ') }),
  }))
  return (
    <Card title={t('first')} about={t('first_about')}>
      <RailTasks items={items} operator_email={operator_email} />
    </Card>
  )
}

interface RailCardProps {
  row: Rail
  shared: readonly SharedTask[]
  operator_email: string | null
}

function RailCard({ row, shared, operator_email }: RailCardProps) {
  const t = useGoLiveTexts()
  const { rail, mode, can_go_live, missing } = row
  const own = ownTasksOf(row, shared)
  const hasShared = own.length < missing.length
  const Icon = icons[rail]
  const isLive = mode === 'live'
  const state = isLive
    ? t('running')
    : can_go_live
      ? t('ready')
      : t('missing', { count: missing.length })
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-bg text-muted">
          <Icon className="size-4.5" aria-hidden="true" />
        </span>
        <div className="min-w-48 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold">
            {t(`about_${rail}`)}
            <Badge tone={isLive ? 'good' : 'warn'} dot>
              {t(mode)}
            </Badge>
          </h2>
          <p className="text-sm text-muted">{state}</p>
        </div>
        <RailSwitch row={row} />
      </div>
      {!isLive && missing.length > 0 && (
        <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
          {own.length > 0 && (
            <RailTasks items={own.map((task) => ({ task }))} operator_email={operator_email} />
          )}
          {hasShared && (
            <p className="text-sm text-muted">{t(own.length > 0 ? 'others_too' : 'others')}</p>
          )}
        </div>
      )}
    </Card>
  )
}

function RailSwitch({ row: { rail, mode, can_go_live } }: { row: Rail }) {
  const t = useGoLiveTexts()
  const about = t(`about_${rail}`)
  const scope = useProjectScope()
  const isLive = mode === 'live'
  const verb = isLive ? 'back' : 'go'
  if (!scope.may('admin')) return null
  return (
    <ConfirmedAct
      title={t(isLive ? 'back_title' : 'go_title', { about })}
      about={t(isLive ? 'back_about' : 'go_about')}
      text={t(verb)}
      run={() => switchRail(scope, rail, isLive ? 'test' : 'live')}
      done={t(isLive ? 'done_test' : 'done_live')}
      refresh={[railsKey(scope)]}
      button={(ask) => (
        <Button
          kind={isLive ? 'secondary' : 'primary'}
          disabled={!isLive && !can_go_live}
          onClick={ask}
        >
          {t(verb)}
          <span className="sr-only">: {about}</span>
        </Button>
      )}
    />
  )
}

interface SharedTask {
  task: Task
  rails: readonly Rail[]
}

/** The tasks that two or more rails in test mode need, in the order in which they are recommended. */
function sharedTasksOf(rails: readonly Rail[]): SharedTask[] {
  const waiting = rails.filter(({ mode }) => mode === 'test')
  const all = waiting.flatMap(({ missing }) => missing)
  const firsts = all.filter(
    (task, index) => all.findIndex((other) => isSame(other, task)) === index,
  )
  return firsts
    .map((task) => ({ task, rails: waiting.filter(({ missing }) => has(missing, task)) }))
    .filter((shared) => shared.rails.length > 1)
}

/** The tasks of a rail that no other rail needs. */
function ownTasksOf({ missing }: Rail, shared: readonly SharedTask[]): Task[] {
  return missing.filter((task) => !shared.some((one) => isSame(one.task, task)))
}

function has(tasks: readonly Task[], wanted: Task): boolean {
  return tasks.some((task) => isSame(task, wanted))
}

/** Tasks of one code differ by their sentence, such as the kind of provider that is missing. */
function isSame(one: Task, other: Task): boolean {
  return one.code === other.code && one.task === other.task
}

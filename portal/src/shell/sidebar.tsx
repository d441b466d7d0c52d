/** The navigation: the pages of the project in groups. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { BookOpen } from 'lucide-react'
import { approvalsQuery } from '../areas/approvals/queries.ts'
import { waitingQuery } from '../areas/conversations/queries.ts'
import { useProjectScope } from '../api/project-scope.tsx'
import { pages, type PageEntry, type PageGroup } from '../pages.ts'
import { useShellTexts } from './texts.ts'

const groups: readonly PageGroup[] = [
  'top',
  'receptionist',
  'phone',
  'content',
  'build',
  'business',
]

const itemClass =
  'flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 font-medium text-muted no-underline ' +
  'hover:bg-hover hover:text-fg aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent ' +
  '[&_svg]:size-4 [&_svg]:shrink-0'

export function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const t = useShellTexts()
  const scope = useProjectScope()
  const isLimited = scope.project.access !== null
  const offered = pages.filter(
    ({ role, name }) => scope.may(role) && (!isLimited || allowedForLimited.includes(name)),
  )
  return (
    <nav aria-label={t('navigation')} className="flex flex-col gap-5">
      {groups.map((group) => {
        const entries = offered.filter((page) => page.group === group)
        if (entries.length === 0) return null
        return (
          <div key={group}>
            {group !== 'top' && (
              <p className="px-2.5 pb-1 text-xs font-medium text-faint">{t(group)}</p>
            )}
            <ul className="flex flex-col gap-0.5">
              {entries.map((page) => (
                <li key={page.name}>
                  <PageLink page={page} {...(onNavigate && { onNavigate })} />
                </li>
              ))}
            </ul>
          </div>
        )
      })}
      <a href="/docs" className={itemClass}>
        <BookOpen aria-hidden="true" />
        {t('docs')}
      </a>
    </nav>
  )
}

/** The pages that a member limited to some sites can open. */
const allowedForLimited: readonly string[] = ['home', 'approvals', 'keys', 'sites']

function PageLink({ page, onNavigate }: { page: PageEntry; onNavigate?: () => void }) {
  const t = useShellTexts()
  const { link } = useProjectScope()
  const { name, path, icon: Icon } = page
  return (
    <Link
      to={link(path === '/' ? '' : path)}
      activeOptions={{ exact: path === '/', includeSearch: false }}
      className={itemClass}
      {...(onNavigate && { onClick: onNavigate })}
    >
      <Icon aria-hidden="true" />
      <span className="flex-1">{t(name)}</span>
      {name === 'approvals' && <ApprovalsCount />}
      {name === 'conversations' && <WaitingCount />}
    </Link>
  )
}

function ApprovalsCount() {
  const { data } = useQuery(approvalsQuery(useProjectScope(), 'pending'))
  return <Count count={data?.data.length ?? 0} />
}

/** The conversations whose visitor waits for a person. */
function WaitingCount() {
  const t = useShellTexts()
  const { data = [] } = useQuery(waitingQuery(useProjectScope()))
  return <Count count={data.length} label={t('waiting', { count: data.length })} />
}

function Count({ count, label }: { count: number; label?: string }) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent tabular-nums">
      <span aria-hidden={label !== undefined}>{count}</span>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  )
}

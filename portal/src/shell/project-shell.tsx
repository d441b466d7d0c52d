/** The frame around every page of a project. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams, useSearch } from '@tanstack/react-router'
import { Menu, Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { AssistantLauncher } from '../areas/portal-assistant/launcher.tsx'
import type { Mode } from '../api/client.ts'
import { useLiveRecords } from '../api/live.ts'
import { ProjectScopeProvider, useProjectScope } from '../api/project-scope.tsx'
import { ProblemState } from '../api/query-state.tsx'
import { projectsQuery, type OwnProject } from '../api/session.ts'
import { pages } from '../pages.ts'
import { Button } from '../ui/actions/button.tsx'
import { SkeletonRows } from '../ui/states/skeleton.tsx'
import { WorkTray } from '../work/work-tray.tsx'
import { AccountMenu } from './account-menu.tsx'
import { Logo } from './logo.tsx'
import { readKeptMode } from './kept-mode.ts'
import { ModeBand, ModeSwitch } from './mode-bar.tsx'
import { NotFound } from './not-found.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import { Navigation } from './sidebar.tsx'
import { useShellTexts } from './texts.ts'

const Palette = lazy(async () => ({
  default: (await import('./command-palette.tsx')).CommandPalette,
}))

const NavigationDrawer = lazy(async () => ({
  default: (await import('./navigation-drawer.tsx')).NavigationDrawer,
}))

export function ProjectShell() {
  const { project_id = '' } = useParams({ strict: false })
  const { mode } = useSearch({ strict: false })
  const { data, error, refetch } = useQuery(projectsQuery)
  if (error !== null) {
    return (
      <main className="mx-auto max-w-2xl px-4 py-16">
        <ProblemState error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (data === undefined)
    return (
      <main className="mx-auto max-w-2xl px-4 py-16">
        <SkeletonRows />
      </main>
    )
  const project = data.find(({ id }) => id === project_id)
  if (project === undefined) return <NotFound />
  return (
    <ProjectScopeProvider project={project} mode={modeOf(project, mode)}>
      <Frame />
    </ProjectScopeProvider>
  )
}

/**
 * The mode of the address, or the one that the person last chose here; else a project opens live once
 * a part of it is live.
 */
function modeOf({ id, shape, is_live }: OwnProject, asked: Mode | undefined): Mode {
  if (shape !== 'single') return shape
  return asked ?? readKeptMode(id) ?? (is_live ? 'live' : 'test')
}

function Frame() {
  const t = useShellTexts()
  const { mode, project_id } = useProjectScope()
  useLiveRecords({ mode, project_id })
  const palette = usePalette()
  return (
    <div className="flex min-h-dvh flex-col" data-mode={mode}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-80 focus:rounded-lg focus:bg-raised focus:px-3 focus:py-2 focus:shadow-pop"
      >
        {t('skip')}
      </a>
      <ModeBand />
      <div className="flex flex-1 flex-col lg:flex-row">
        <Sidebar onSearch={palette.show} />
        <div className="flex min-w-0 flex-1 flex-col">
          {/* Beside the sidebar, which has the height of the window. */}
          <OfflineBand />
          <TopBar onSearch={palette.show} />
          {/* Pages start anew with another mode, so that no record of the other one stays. */}
          <main
            id="main"
            key={`${project_id} ${mode}`}
            className="mx-auto w-full max-w-6xl flex-1 has-data-wide:max-w-440 px-4 py-6 sm:px-8 sm:py-9"
          >
            <Outlet />
          </main>
        </div>
      </div>
      <WorkTray project_id={project_id} />
      {palette.used && (
        <Suspense fallback={null}>
          <Palette open={palette.open} onOpenChange={palette.setOpen} />
        </Suspense>
      )}
    </div>
  )
}

/** The reason for which the operator of the installation took the project offline. */
function OfflineBand() {
  const t = useShellTexts()
  const { offline } = useProjectScope().project
  if (offline === null) return null
  return (
    <p role="status" className="bg-bad-soft px-4 py-2 text-center text-sm text-bad">
      <b className="font-semibold">{t('is_offline')}</b> {offline.reason}
    </p>
  )
}

function Sidebar({ onSearch }: { onSearch(): void }) {
  return (
    <aside className="w-62 shrink-0 border-r border-line bg-side max-lg:hidden">
      <div className="sticky top-(--band) flex h-[calc(100dvh-var(--band))] flex-col">
        <div className="flex flex-col gap-3 px-3 pt-4">
          <ProjectSwitcher />
          <SearchButton onSearch={onSearch} />
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto px-3 py-4">
          <Navigation />
        </div>
        <div className="border-t border-line p-3">
          <AccountMenu />
        </div>
      </div>
    </aside>
  )
}

function SearchButton({ onSearch }: { onSearch(): void }) {
  const t = useShellTexts()
  return (
    <button
      type="button"
      onClick={onSearch}
      className="flex h-9 w-full items-center gap-2 rounded-lg border border-line bg-surface px-2.5 text-left text-faint shadow-card hover:border-line-strong hover:text-muted"
    >
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{t('search')}</span>
      <kbd className="rounded border border-line px-1 font-mono text-[0.6875rem]">{shortcut}</kbd>
    </button>
  )
}

const shortcut = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'

function TopBar({ onSearch }: { onSearch(): void }) {
  const t = useShellTexts()
  const [open, setOpen] = useState(false)
  return (
    <header className="sticky top-(--band) z-20 flex h-14 items-center gap-2 border-b border-line bg-bg px-4 sm:px-8">
      <div className="flex min-w-0 flex-1 items-center gap-2 lg:hidden">
        <Button
          kind="ghost"
          size="icon"
          aria-label={t('open_navigation')}
          onClick={() => setOpen(true)}
        >
          <Menu aria-hidden="true" />
        </Button>
        <Logo className="size-7 shrink-0" />
        <ProjectName />
      </div>
      <Breadcrumb />
      <div className="ml-auto flex items-center gap-1.5">
        <Button
          kind="ghost"
          size="icon"
          className="lg:hidden"
          aria-label={t('search_label')}
          onClick={onSearch}
        >
          <Search aria-hidden="true" />
        </Button>
        <AssistantLauncher />
        <ModeSwitch />
        <div className="lg:hidden">
          <AccountMenu side="bottom" />
        </div>
      </div>
      {open && (
        <Suspense fallback={null}>
          <NavigationDrawer onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </header>
  )
}

/** A record whose URL contains only its id is named by the heading of its page. */
const ID = /^[0-9a-f]{8}-/

function Breadcrumb() {
  const t = useShellTexts()
  const { project, link } = useProjectScope()
  const { pathname } = useLocation()
  const [first = '', record] = pathname.slice(link('/').length).split('/')
  const page = pages.find(({ path }) => path === `/${first}`)
  const title = page === undefined ? '' : t(page.name)
  return (
    <p className="flex items-center gap-2 text-sm text-muted max-lg:hidden">
      {project.name}
      <Slash />
      {record === undefined || record === '' ? (
        <span className="text-fg">{title}</span>
      ) : (
        <>
          <Link to={link(`/${first}`)} className="text-muted no-underline hover:text-fg">
            {title}
          </Link>
          {!ID.test(record) && (
            <>
              <Slash />
              <span className="text-fg">
                {page?.name === 'billing' && record === 'plan'
                  ? t('plan')
                  : decodeURIComponent(record)}
              </span>
            </>
          )}
        </>
      )}
    </p>
  )
}

function Slash() {
  return (
    <span aria-hidden="true" className="text-faint">
      /
    </span>
  )
}

function ProjectName() {
  const { project } = useProjectScope()
  return <span className="truncate font-semibold tracking-tight max-sm:hidden">{project.name}</span>
}

/** The command palette, loaded when it is first opened. */
function usePalette() {
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const show = () => {
    setUsed(true)
    setOpen(true)
  }
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setUsed(true)
      setOpen((now) => !now)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return { open, setOpen, used, show }
}

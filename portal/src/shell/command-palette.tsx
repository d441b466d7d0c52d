/** The command palette (Ctrl K): finds pages, projects and actions by a few letters. */
import { Dialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { BookOpen, UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../api/project-scope.tsx'
import { joinPairs, projectsQuery } from '../api/session.ts'
import { pages } from '../pages.ts'
import { usePaletteActions } from './palette-actions.tsx'
import { ProjectInitial } from './project-switcher.tsx'
import { useShellTexts } from './texts.ts'

export interface CommandPaletteProps {
  open: boolean
  onOpenChange(open: boolean): void
}

const groupClass =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 ' +
  '[&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-faint'

export function CommandPalette({ open, onOpenChange }: CommandPaletteProps) {
  const t = useShellTexts()
  const close = () => onOpenChange(false)
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup
          aria-label={t('search_label')}
          className="pop fixed top-[12dvh] left-1/2 z-50 w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-2xl bg-raised shadow-pop outline-none"
        >
          <Command label={t('search_label')} loop>
            <Command.Input
              autoFocus
              placeholder={t('search')}
              className="h-13 w-full border-b border-line bg-transparent px-5 text-lg outline-none placeholder:text-faint"
            />
            <Command.List className="max-h-[55dvh] overflow-y-auto p-2" tabIndex={-1}>
              <Command.Empty className="px-4 py-10 text-center text-muted">
                {t('no_results')}
              </Command.Empty>
              <Pages close={close} />
              <Actions close={close} />
              <Projects close={close} />
              <Help close={close} />
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Entry(props: { id: string; icon: ReactNode; text: string; onSelect(): void }) {
  const { id, icon, text, onSelect } = props
  return (
    <Command.Item
      value={`${text} ${id}`}
      onSelect={onSelect}
      className="flex cursor-default items-center gap-3 rounded-lg px-2.5 py-2 select-none data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-faint"
    >
      {icon}
      {text}
    </Command.Item>
  )
}

function Pages({ close }: { close(): void }) {
  const t = useShellTexts()
  const { link, may } = useProjectScope()
  const navigate = useNavigate()
  const open = (path: string) => {
    close()
    void navigate({ to: link(path) })
  }
  return (
    <Command.Group heading={t('group_pages')} className={groupClass}>
      {pages
        .filter(({ role }) => may(role))
        .map(({ name, path, icon: Icon }) => (
          <Entry
            key={name}
            id={name}
            icon={<Icon aria-hidden="true" />}
            text={t(name)}
            onSelect={() => open(path === '/' ? '' : path)}
          />
        ))}
    </Command.Group>
  )
}

function Actions({ close }: { close(): void }) {
  const t = useShellTexts()
  return (
    <Command.Group heading={t('group_actions')} className={groupClass}>
      {usePaletteActions().map(({ id, icon, text, run }) => (
        <Entry
          key={id}
          id={id}
          icon={icon}
          text={text}
          onSelect={() => {
            close()
            run()
          }}
        />
      ))}
    </Command.Group>
  )
}

function Projects({ close }: { close(): void }) {
  const t = useShellTexts()
  const navigate = useNavigate()
  const { project } = useProjectScope()
  const { data = [] } = useQuery(projectsQuery)
  const others = joinPairs(data).filter(({ id }) => id !== project.id && id !== project.pair_id)
  if (others.length === 0) return null
  return (
    <Command.Group heading={t('group_projects')} className={groupClass}>
      {others.map(({ id, name }) => (
        <Entry
          key={id}
          id={id}
          icon={<ProjectInitial name={name} small />}
          text={name}
          onSelect={() => {
            close()
            void navigate({ to: `/projects/${id}` })
          }}
        />
      ))}
    </Command.Group>
  )
}

function Help({ close }: { close(): void }) {
  const t = useShellTexts()
  const places = [
    { id: 'docs', icon: <BookOpen aria-hidden="true" />, text: t('docs'), href: '/docs' },
    {
      id: 'api',
      icon: <BookOpen aria-hidden="true" />,
      text: t('api_reference'),
      href: '/docs/reference',
    },
    {
      id: 'account',
      icon: <UserRound aria-hidden="true" />,
      text: t('account'),
      href: '/portal/app/account',
    },
  ]
  return (
    <Command.Group heading={t('group_help')} className={groupClass}>
      {places.map(({ id, icon, text, href }) => (
        <Entry
          key={id}
          id={id}
          icon={icon}
          text={text}
          onSelect={() => {
            close()
            location.assign(href)
          }}
        />
      ))}
    </Command.Group>
  )
}

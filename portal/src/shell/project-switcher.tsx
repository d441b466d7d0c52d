/** A menu with the current project and the others. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, LayoutGrid } from 'lucide-react'
import { useProjectScope } from '../api/project-scope.tsx'
import { joinPairs, projectsQuery } from '../api/session.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../ui/actions/menu.tsx'
import { useShellTexts } from './texts.ts'

export function ProjectSwitcher() {
  const t = useShellTexts()
  const { project } = useProjectScope()
  const navigate = useNavigate()
  const { data = [project] } = useQuery(projectsQuery)
  const projects = joinPairs(data)
  const isListed = projects.some(({ id }) => id === project.id)
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="flex w-full min-w-0 items-center gap-2.5 rounded-lg px-2 py-1.5 text-left hover:bg-hover"
        >
          <ProjectInitial name={project.name} />
          <span className="min-w-0 flex-1">
            <span className="sr-only">{t('switch_project')}: </span>
            <span className="block truncate font-semibold tracking-tight">{project.name}</span>
            <span className="block truncate text-xs text-faint capitalize">{project.plan}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-faint" aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice
        label={t('projects')}
        value={isListed ? project.id : (project.pair_id ?? project.id)}
        // Explicitly undefined, because the route retains the mode of this project otherwise.
        onChange={(id) => void navigate({ to: `/projects/${id}`, search: { mode: undefined } })}
        choices={projects.map(({ id, name }) => ({
          value: id,
          text: name,
          icon: <ProjectInitial name={name} small />,
        }))}
      />
      <MenuLine />
      <MenuItem
        icon={<LayoutGrid aria-hidden="true" />}
        onSelect={() => void navigate({ to: '/' })}
      >
        {t('all_projects')}
      </MenuItem>
    </Menu>
  )
}

export function ProjectInitial({ name, small = false }: { name: string; small?: boolean }) {
  const size = small ? 'size-5 rounded-md text-[0.6875rem]' : 'size-8 rounded-lg text-sm'
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center bg-accent font-semibold text-on-accent uppercase ${size}`}
    >
      {name.trim().slice(0, 1)}
    </span>
  )
}

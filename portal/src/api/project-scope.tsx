/** The project and mode of the current page, for every component below it. */
import { createContext, use, type ReactNode } from 'react'
import type { Scope } from './client.ts'
import { hasRole, type OwnProject, type Role } from './session.ts'

export interface ProjectScope extends Scope {
  project: OwnProject
  may(least: Role): boolean
  /** The address of a page of the project, in the same mode. */
  link(path: string): string
}

const Context = createContext<ProjectScope | null>(null)

export function ProjectScopeProvider(props: {
  project: OwnProject
  mode: Scope['mode']
  children: ReactNode
}) {
  const { project, mode, children } = props
  const scope: ProjectScope = {
    project,
    project_id: project.id,
    mode,
    may: (least) => hasRole(project.role, least),
    link: (path) => `/projects/${project.id}${path}`,
  }
  return <Context value={scope}>{children}</Context>
}

export function useProjectScope(): ProjectScope {
  const scope = use(Context)
  if (scope === null) throw new Error('This component needs a project above it.')
  return scope
}

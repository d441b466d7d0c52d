/** Title, person and navigation of a page of a project. */
import type { PortalPage } from './layout.ts'
import type { ProjectVisit } from './visit.ts'

type ProjectPart = NonNullable<PortalPage['project']>['here']

export function projectFrame(
  { who, membership }: ProjectVisit,
  here: ProjectPart,
): Omit<PortalPage, 'main'> {
  const { project, access } = membership
  const title = here === 'overview' ? project.name : `${titles[here]} · ${project.name}`
  return {
    title,
    email: who.person.email,
    project: { id: project.id, name: project.name, is_limited: access !== null, here },
  }
}

const titles = {
  approvals: 'Approvals',
  calls: 'Calls',
  go_live: 'Go live',
  billing: 'Billing',
  webhooks: 'Webhooks',
  team: 'Team',
  keys: 'Keys',
  connections: 'Connections',
} as const

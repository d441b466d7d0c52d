/** Records the changes that the forms of a project make, under the names of the same operations. */
import * as activity from '../../areas/activity/service.ts'
import type { PortalReply, ProjectVisit } from './visit.ts'

/** The operation of a form, by its path below the project. */
const operations = new Map([
  ['approvals/:approval_id/approve', 'approvals.approve'],
  ['approvals/:approval_id/edit', 'approvals.edit'],
  ['approvals/:approval_id/reject', 'approvals.reject'],
])

const ROOT = 'POST /portal/projects/:id/'

/** Runs the handler of a route; a form is recorded if it changes something. */
export function recordForm(
  route: string,
  { runtime, request, who, caller }: ProjectVisit,
  run: () => Promise<PortalReply>,
): Promise<PortalReply> {
  if (!route.startsWith(ROOT)) return run()
  const path = route.slice(ROOT.length)
  const parameter = /:(\w+)/.exec(path)?.[1]
  const value: unknown = parameter === undefined ? undefined : Object(request.params)[parameter]
  const acting = {
    project_id: caller.project.id,
    entry_point: 'portal',
    mode: caller.mode,
    actor_kind: 'person',
    actor_id: who.person.id,
    operation: operations.get(path) ?? path,
    request_id: request.id,
    path_id: typeof value === 'string' ? value.toLowerCase() : null,
  } as const
  return activity.record(runtime, { acting, work: run })
}

/** Records the changes that the forms of a project make, under the names of the same operations. */
import * as activity from '../../areas/activity/service.ts'
import type { PortalReply, ProjectVisit } from './visit.ts'

/** The operation of a form, by its path below the project. */
const operations = new Map([
  ['approvals/:approval_id/approve', 'approvals.approve'],
  ['approvals/:approval_id/edit', 'approvals.edit'],
  ['approvals/:approval_id/reject', 'approvals.reject'],
  ['go-live/:rail', 'go_live.switch'],
  ['company', 'company.put'],
  ['billing/top-up', 'top_ups.create'],
  ['billing/cap', 'spending_cap.put'],
  ['billing/auto-reload', 'auto_reload.put'],
  ['webhooks/:endpoint_id/enable', 'webhooks.enable'],
  ['webhooks/:endpoint_id/test', 'webhooks.test'],
  ['keys', 'keys.create'],
  ['keys/:key_id', 'keys.change'],
  ['keys/:key_id/revoke', 'keys.revoke'],
  ['connections/:connection_id/change', 'connections.change'],
  ['connections/:connection_id/revoke', 'connections.delete'],
  ['team/invite', 'invitations.create'],
  ['team/members/:person_id/change', 'members.change'],
  ['team/members/:person_id/remove', 'members.remove'],
  ['team/invitations/:invitation_id/withdraw', 'invitations.withdraw'],
  ['deliveries/:delivery_id/redeliver', 'deliveries.redeliver'],
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

/** Portal operations for deciding. Keys and connections cannot call them. */
import { peopleOperation, type MemberCaller } from '../../contract/people.ts'
import { Approval, ApprovalId, ApprovalDecision, ApprovalEdit } from './schema.ts'
import * as approvals from './service.ts'

const shared = {
  access: 'member',
  fresh: true,
  reach: 'selection',
  params: ApprovalId,
  status: 200,
  reply: Approval,
} as const

export const approve = peopleOperation({
  ...shared,
  name: 'approvals.approve',
  route: 'POST /projects/{project_id}/approvals/{id}/approve',
  about:
    'Approves an operation. All rules and limits are checked again, the operation runs ' +
    'once, and its result is in reply. An operation that costs money needs an owner or ' +
    'admin.',
  keywords:
    'yes, go ahead, say ok, agree, permit, allow the agent, confirm, may buy, fine, thumbs up, ' +
    'blessing, sign off, green light, give approval for an agent action',
  effect: 'outside',
  body: ApprovalDecision,
  errors: ['not_found', 'conflict', 'forbidden'],
  run: async ({ params, body }, caller) =>
    approvals.approve(await deciderOf(caller), params.id, body),
})

export const edit = peopleOperation({
  ...shared,
  name: 'approvals.edit',
  route: 'PUT /projects/{project_id}/approvals/{id}/arguments',
  about: 'Replaces the arguments of a pending approval, which stays pending.',
  keywords: 'change before approving, correct arguments, smaller amount, change the request',
  effect: 'write',
  body: ApprovalEdit,
  errors: approvals.editErrors,
  run: async ({ params, body }, caller) =>
    approvals.editArguments(await deciderOf(caller), params.id, body),
})

export const reject = peopleOperation({
  ...shared,
  name: 'approvals.reject',
  route: 'POST /projects/{project_id}/approvals/{id}/reject',
  about: 'Rejects an operation with an optional note for the requester. Nothing is executed.',
  keywords:
    'no, deny, refuse, cancel request, do not allow, veto, decline, turn down, stop the action',
  effect: 'write',
  body: ApprovalDecision,
  errors: ['not_found', 'conflict', 'forbidden'],
  run: async ({ params, body }, caller) =>
    approvals.reject(await deciderOf(caller), params.id, body),
})

function deciderOf(caller: MemberCaller): Promise<approvals.Decider> {
  const { id, email, role } = caller.person
  return approvals.buildDecider(caller, { person: { id, email }, role })
}

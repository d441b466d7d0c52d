/** Operations for reading approvals with a key or over MCP. */
import { operation } from '../../contract/operation.ts'
import { Approval, ApprovalId, ApprovalList, ApprovalQuery } from './schema.ts'
import * as approvals from './service.ts'

export const list = operation({
  name: 'approvals.list',
  route: 'GET /approvals',
  about:
    'Lists approvals, pending and decided, newest first. A key sees the approvals it ' +
    'requested and those of operations within its scopes.',
  keywords:
    'pending, waiting for my ok, okay, say yes to, need permission, confirm, sitting there, ' +
    'queue, open requests, sign off, approve, stuck, human in the loop',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  query: ApprovalQuery,
  status: 200,
  reply: ApprovalList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => approvals.list(caller, query),
})

export const find = operation({
  name: 'approvals.get',
  route: 'GET /approvals/{id}',
  about: 'Gets an approval: its status and, once executed, the reply of the operation.',
  keywords:
    'poll, decision, outcome, pending, was it approved, request status, what did the owner ' +
    'decide, signed off, result',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  params: ApprovalId,
  status: 200,
  reply: Approval,
  errors: ['not_found'],
  run: ({ params }, caller) => approvals.find(caller, params.id),
})

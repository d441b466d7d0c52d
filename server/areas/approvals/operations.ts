/** Operations for reading approvals with a key or over MCP. */
import { isRecord, pickFields, type JsonRecord } from '../../contract/manifest/state-section.ts'
import { operation, type BriefReply, type FindBrief } from '../../contract/operation.ts'
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
  brief: briefApproval,
  errors: ['not_found'],
  run: ({ params }, caller) => approvals.find(caller, params.id),
})

/** What became of it: without what the reader sent, and with the reply as short as that of the operation. */
function briefApproval(approval: JsonRecord, find: FindBrief): BriefReply {
  const { reply, status, operation } = approval
  const told = isRecord(reply) ? (find(String(operation))?.brief?.(reply, find) ?? null) : null
  const open = status === 'pending' ? ['url', 'expires_at'] : ['decided_by', 'decided_at', 'note']
  const fields = pickFields(approval, [
    'id',
    'status',
    'operation',
    'about',
    'loss',
    'cost',
    'left_out',
    ...open,
  ])
  const known = Object.entries(fields).filter(([, value]) => value !== null)
  const outsiders = {
    ...outsidersIn(approval),
    ...(told === null ? reply !== null && { reply: JSON.stringify(reply) } : told.outsiders),
  }
  const is_test =
    ['money', 'outside'].includes(String(approval['effect'])) && Object(reply).test === true
  return {
    reply: {
      ...Object.fromEntries(known),
      // Only with a live key such an operation waits, so this came of a rail in test.
      ...(is_test && { not_real: 'Nothing real happened: this part of the project is in test.' }),
      ...(told && { reply: told.reply }),
    },
    ...(Object.keys(outsiders).length > 0 && { outsiders }),
  }
}

function outsidersIn({ subject, problem, edited, arguments: given }: JsonRecord) {
  return {
    ...(typeof subject === 'string' && { subject }),
    // The reader knows its own arguments, and not what a person made of them.
    ...(edited === true && { edited: JSON.stringify(given) }),
    // It may name fields that a visitor chose.
    ...(isRecord(problem) && { problem: JSON.stringify(problem) }),
  }
}

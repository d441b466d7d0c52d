/**
 * Calls an operation for a client. Checks the permissions of the client, whether the address of its
 * connection includes the operation (`toolsets`, `read_only`) and, for dangerous operations, the
 * consent of a person; then runs the operation. Operation tools and the two tools that run any operation share this path, so
 * that all apply the same checks.
 */
import { runsWithArguments } from '../../../contract/operations/streams.ts'
import type { CallToolResult } from '@modelcontextprotocol/server'
import * as approvals from '../../../areas/approvals/service.ts'
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Admission } from '../../admission.ts'
import {
  askConsent,
  type ApprovalFallback,
  type Elicitation,
  type ConsentQuestion,
} from '../questions/consent.ts'
import { API_ROOT } from '../../http/routes.ts'
import { needsConsent } from './danger.ts'
import { withOwnLists } from './fit-next-step.ts'
import { describeTestRail } from './rails.ts'
import { toReplyResult } from './result.ts'
import { prepareInSlices, unwrapBody, type PreparedCall } from './run.ts'
import type { Tool, McpClient } from './surface.ts'
import { isRecord } from './record.ts'
import type { OperationTool } from './tool.ts'
import { isInView, isListed } from './view.ts'

export interface CallDependencies {
  admission: Admission
  approvals: ApprovalFallback
}

export interface ToolCall {
  given: unknown
  client: McpClient
  asking: Elicitation
}

export async function callOperation(
  tool: OperationTool,
  { given: asked, client, asking }: ToolCall,
  { admission, approvals: asks }: CallDependencies,
): Promise<CallToolResult | ConsentQuestion> {
  const { operation } = tool
  const given = unwrapBody(tool, asked)
  const { caller, view } = client
  await admission.allow(operation, caller)
  if (!isInView(operation, view)) {
    throw new Problem(
      'forbidden',
      `${operation.name} is left out by the address of this connection (toolsets, read_only).`,
      { user_message: 'This connection was set up without that.' },
    )
  }
  if (!runsWithArguments(operation)) throw overHttp(tool, given, caller)
  return withOwnLists(tool, () => runAsked(tool, { given, client, asking }, asks))
}

async function runAsked(
  tool: OperationTool,
  { given, client: { caller }, asking }: ToolCall,
  asks: ApprovalFallback,
): Promise<CallToolResult | ConsentQuestion> {
  const { operation } = tool
  const { find } = approvals.findRunner(caller.runtime)
  const { prepared, loss, asked } = await prepareWithLoss(tool, given, caller)
  if (needsConsent(operation, caller, loss)) {
    const kept = await findDone(prepared, caller, asked)
    if (kept !== null) return toReplyResult(tool, kept, { find })
    const consent = { caller, asking, approvals: asks }
    const question = await askConsent({ operation, given: asked, loss }, consent)
    if (question) return question
  }
  const not_real = describeTestRail(operation, caller)
  return toReplyResult(tool, await prepared.run(caller), { find, given, not_real })
}

/**
 * Prepares an operation and finds what it would delete. A person is asked about a loss, so the names that
 * REST wants repeated are filled in; without a loss they are not, because there could be one at execution.
 */
async function prepareWithLoss(tool: OperationTool, given: unknown, caller: Caller) {
  const repeats = Object.entries(tool.operation.consent?.repeats ?? {})
  if (repeats.length === 0 || !isRecord(given)) return prepareAsGiven(tool, given, caller)
  const again = Object.fromEntries(repeats.map(([name, field]) => [field, given[name]]))
  const filled = await prepareAsGiven(tool, { ...again, ...given }, caller)
  return filled.loss === null ? prepareAsGiven(tool, given, caller) : filled
}

async function prepareAsGiven(tool: OperationTool, asked: unknown, caller: Caller) {
  const prepared = await prepareInSlices(tool, asked)
  return { prepared, loss: await prepared.findLoss(caller), asked }
}

/**
 * Returns the stored reply of an approved request that is repeated with its Idempotency-Key; null
 * if there is none. The key can belong to other arguments, because a person may edit a request
 * before approval.
 */
async function findDone(
  prepared: PreparedCall,
  caller: Caller,
  given: unknown,
): Promise<string | null> {
  try {
    return await prepared.findKept(caller)
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'idempotency_key_reused') throw error
    const reply = await approvals.findEditedReply(caller, { operation: prepared.operation, given })
    if (reply === null) throw error
    return reply
  }
}

function overHttp(
  { operation, lists }: OperationTool,
  given: unknown,
  { runtime }: Caller,
): Problem {
  const { method, effect } = operation
  const path = operation.path.replaceAll(/\{(\w{1,40})\}/g, (whole, name: string) => {
    const value: unknown = Object(given)[name]
    return typeof value === 'string' ? encodeURIComponent(value) : whole
  })
  // With its whole address, because a route would be replaced by the operation that was refused.
  const address = `${method} ${runtime.config.public_url}${API_ROOT}${path}`
  const list = effect === 'read' ? lists.at(-1) : undefined
  const here = list === undefined ? '' : ` Here, ${list} reads the same in pages.`
  return new Problem(
    'bad_request',
    `${operation.name} sends or takes a file or a stream, which does not go through a chat.`,
    { next_step: `A program can send ${address} with an API key.${here}` },
  )
}

/** The tool of a single operation. */
export function createOperationTool(tool: OperationTool, callers: CallDependencies): Tool {
  const { operation, listing } = tool
  return {
    listing,
    operationFor: () => operation,
    isShown: (client) => isListed(operation, client.view) && mayUseOperation(tool, client),
    run: (given, client, asking) => callOperation(tool, { given, client, asking }, callers),
  }
}

/** Whether a client may use an operation, by its scopes, mode, reach and view. */
export function mayUseOperation(
  { operation }: OperationTool,
  { caller, view }: McpClient,
): boolean {
  const { scope, mode, reach } = operation
  if (scope !== null && !caller.scopes.has(scope)) return false
  if (mode === 'test' && caller.mode !== 'test') return false
  if (reach === 'project' && caller.access) return false
  return isInView(operation, view)
}

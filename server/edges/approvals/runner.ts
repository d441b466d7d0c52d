/**
 * Runs approved operations: validated, authorized and executed like an MCP tool, as the requester
 * with their current permissions.
 */
import { executionRequestId, type OperationRunner } from '../../areas/approvals/service.ts'
import * as agents from '../../areas/agents/service.ts'
import * as connections from '../../areas/connections/service.ts'
import * as keys from '../../areas/keys/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { requireAllowed, completeAccess } from '../admission.ts'
import { describeCostFor } from '../mcp/tools/cost.ts'
import { createMcpPhrasing } from '../describe/mcp-phrasing.ts'
import { prepareCall, unwrapBody } from '../mcp/tools/run.ts'
import { deriveTool, type OperationTool } from '../mcp/tools/tool.ts'
import { readSubject, findReadingRoute } from './subject.ts'

export function createOperationRunner(
  runtime: Runtime,
  operations: readonly Operation[],
): OperationRunner {
  const tools = new Map<string, OperationTool>()
  const byName = new Map<string, Operation>(operations.map((one) => [one.name, one]))
  const byRoute = new Map<string, Operation>(operations.map((one) => [one.route, one]))
  function toolFor(name: string): OperationTool {
    const known = tools.get(name)
    if (known) return known
    const operation = byName.get(name)
    if (!operation) throw new Problem('not_found', `There is no operation "${name}" any more.`)
    const tool = deriveTool(operation)
    tools.set(name, tool)
    return tool
  }
  return {
    find: (name) => byName.get(name) ?? null,
    describe(name) {
      const { operation, shape } = toolFor(name)
      return { about: operation.about, shape: { ...shape } }
    },
    unwrap: (name, given) => (byName.has(name) ? unwrapBody(toolFor(name), given) : given),
    prepare: (name, given) => prepareCall(toolFor(name), given),
    costOf: describeCostFor,
    allow: (operation, caller) => requireAllowed(operation, caller, 'key'),
    recognise: (asked) => recogniseAgain(runtime, asked),
    isOpen: ({ slug, extra }) =>
      slug === 'idempotency_request_in_progress' || extra.outcome_unknown === true,
    async readSubject(name, given, caller) {
      const reading = byRoute.get(findReadingRoute(toolFor(name).operation) ?? '')
      return reading ? readSubject(toolFor(reading.name), given, caller) : null
    },
    nameOf: (caller) => nameOf(caller),
    phrasing: createMcpPhrasing(operations),
  }
}

async function recogniseAgain(
  runtime: Runtime,
  { project_id, asked_by, id }: Parameters<OperationRunner['recognise']>[0],
): Promise<Caller> {
  const key = { project_id, id: asked_by }
  const holder =
    (await keys.findKeyHolder(runtime, key)) ?? (await connections.findHolder(runtime, key))
  if (!holder) {
    const agent = await agents.findCaller(runtime, key)
    if (agent) return { ...agent, request_id: executionRequestId(id) }
    const user_message = 'The connection that asked for this has ended, so nothing was done.'
    throw new Problem('api_key_revoked', 'The key or connection that asked for this has ended.', {
      user_message,
    })
  }
  return {
    ...holder,
    access: await completeAccess(runtime, holder),
    runtime,
    db: runtime.db,
    request_id: executionRequestId(id),
    idempotency_key: null,
    remember: async () => {
      throw new Error('Only an operation with a required Idempotency-Key remembers its reply.')
    },
  }
}

async function nameOf({ runtime, project, key_id, agent }: Caller): Promise<string> {
  if (agent) return agent.name
  const key = { project_id: project.id, id: key_id }
  const name =
    (await keys.findKeyName(runtime.db, key)) ?? (await connections.findClientName(runtime, key))
  return name || 'A connection'
}

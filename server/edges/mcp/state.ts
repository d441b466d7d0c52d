/**
 * The tool get_state: the whole project in one call. Each area adds sections, which call operations
 * that read, each under its own scope. A section that this connection may not see is named without
 * its content.
 */
import { Problem } from '../../contract/errors.ts'
import { toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import { scopeNames } from '../../contract/scopes.ts'
import type { JsonRecord, StateSection } from '../../contract/manifest/state-section.ts'
import { createInvalidBodyProblem } from '../http/request.ts'
import { mayUseOperation } from './tools/call.ts'
import type { Catalog } from './catalog.ts'
import { createListing } from './tools/own-tool.ts'
import { isRecord } from './tools/record.ts'
import { toTextResult } from './tools/result.ts'
import { prepareCall, describeUnknownArgument } from './tools/run.ts'
import type { Tool, McpClient } from './tools/surface.ts'
import type { OperationTool } from './tools/tool.ts'

export function createStateTool(catalog: Catalog, sections: readonly StateSection[]): Tool {
  const abouts = sections.map(({ about }) => about).join(', ')
  return {
    listing: createListing('get_state', {
      title: 'State of the project',
      description: `The project at one glance: what this connection may do, ${abouts}.`,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, client) {
      requireNone(given)
      const state = await readSections(catalog, sections, client)
      return toTextResult({ connection: connectionOf(client), ...state })
    },
  }
}

/** Returns the sections that this caller may see, and the names of the others. */
export async function readSections(
  catalog: Catalog,
  sections: readonly StateSection[],
  client: McpClient,
): Promise<JsonRecord> {
  const shown = await Promise.all(sections.map((section) => read(section, catalog, client)))
  const known = shown.filter((one) => one !== null)
  const state = Object.fromEntries(known.flatMap((one) => ('value' in one ? [one.value] : [])))
  const not_shown = known.flatMap((one) => ('reason' in one ? [one.reason] : []))
  return { ...state, ...(not_shown.length > 0 && { not_shown }) }
}

/** Returns the scopes that this connection or key has and lacks, and how to get more. */
function connectionOf({ caller }: McpClient): JsonRecord {
  const { scopes, is_connection, runtime, project } = caller
  const lacking = scopeNames.filter((scope) => !scopes.has(scope))
  const keys = toProjectUrl(runtime.config, project.id, '/keys')
  return {
    kind: is_connection ? 'connection' : 'api_key',
    scopes: scopeNames.filter((scope) => scopes.has(scope)),
    ...(lacking.length > 0 && {
      scopes_missing: lacking,
      to_get_more: is_connection
        ? 'Only what the user ticked is given, and nothing that changes something is ticked at first. ' +
          'Call what you need: some clients then ask the user by themselves. If yours does not, ask ' +
          'the user to connect this chat again and to tick what is missing on the page that opens. ' +
          `What is connected now: ${keys}#connections`
        : `Ask the owner for an API key with these scopes, which they make at ${keys}`,
    }),
  }
}

function requireNone(given: unknown): void {
  const names = Object.keys(Object(given ?? {}))
  if (names.length === 0 && (given === undefined || isRecord(given))) return
  throw createInvalidBodyProblem(
    names.map((name) => ({ path: `/${name}`, message: describeUnknownArgument([]) })),
  )
}

type Shown = { value: readonly [string, unknown] } | { reason: string } | null

async function read(section: StateSection, catalog: Catalog, client: McpClient): Promise<Shown> {
  const tool = catalog.all.get(section.operation)
  if (!tool) return null
  if (!mayUseOperation(tool, client)) return { reason: `${section.name}: ${whyNot(tool, client)}` }
  try {
    const reply: unknown = JSON.parse(
      await prepareCall(tool, argumentsFor(tool, section)).run(client.caller),
    )
    return { value: [section.name, isRecord(reply) ? section.show(reply) : null] }
  } catch (error) {
    if (error instanceof Problem) return { reason: `${section.name}: ${error.detail}` }
    throw error
  }
}

function argumentsFor({ places }: OperationTool, { given }: StateSection): JsonRecord {
  return { ...given, ...(places.has('limit') && { limit: LISTED_MAX }) }
}

const LISTED_MAX = 50

function whyNot({ operation }: OperationTool, { caller }: McpClient): string {
  const { scope } = operation
  if (scope !== null && !caller.scopes.has(scope)) return `this key lacks ${scope}`
  return 'left out by the limits or the address of this connection'
}

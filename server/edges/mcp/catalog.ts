/**
 * Every operation as a tool, created once at the start from the operations of app.ts. An operation
 * that streams or transfers a file can be found, but not run over MCP. Operations for pages of
 * visitors are left out.
 */
import { runsWithArguments } from '../../contract/operations/streams.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PeopleOperation } from '../../contract/people.ts'
import { defaultOperations, neverTools } from '../describe/default-tools.ts'
import { createMcpPhrasing } from '../describe/mcp-phrasing.ts'
import { deriveTool, type OperationTool } from './tools/tool.ts'

export interface Catalog {
  /** By the name of the operation, in the order of app.ts. */
  all: ReadonlyMap<string, OperationTool>
  byToolName: ReadonlyMap<string, OperationTool>
  /** The operations that can be listed as tools: the default ones first. */
  listable: readonly OperationTool[]
  /** Operations of signed-in people, which the search finds and links to the portal. */
  people: readonly PeopleOperation[]
}

/** The catalog of each list of operations: deriving it takes a tenth of a second. */
const catalogs = new WeakMap<readonly Operation[], Catalog>()

export function createCatalog(
  operations: readonly Operation[],
  people: readonly PeopleOperation[] = [],
): Catalog {
  const derived = catalogs.get(operations) ?? deriveCatalog(operations)
  catalogs.set(operations, derived)
  return { ...derived, people }
}

function deriveCatalog(operations: readonly Operation[]): Catalog {
  const { rename } = createMcpPhrasing(operations)
  const routes: ReadonlySet<string> = new Set(operations.map(({ route }) => route))
  const tools = operations
    .filter((operation) => operation.kind !== 'guest' && !neverTools.has(operation.name))
    .map((operation) => deriveTool(operation, { name: operation.tool, rename, routes }))
  const all = new Map<string, OperationTool>(tools.map((tool) => [tool.operation.name, tool]))
  const first = defaultOperations.map((name) => all.get(name)).filter((tool) => tool !== undefined)
  const listable = [...new Set([...first, ...tools])].filter(({ operation }) =>
    runsWithArguments(operation),
  )
  const byToolName = new Map(tools.map((tool) => [tool.listing.name, tool]))
  return { all, byToolName, listable, people: [] }
}

/**
 * Every operation as a tool, made once at the start from the list of app.ts: those that are tools
 * of their own, and all the others, which are found and run by their names. What flows as a file
 * or a stream is found too, and says that it goes over HTTP; what is for visitors' pages is not here.
 */
import { asGuest } from '../../contract/guests.ts'
import type { Operation } from '../../contract/operation.ts'
import type { PeopleOperation } from '../../contract/people.ts'
import { asStream } from '../../contract/streams.ts'
import { mcpPhrasing, neverTools } from './phrasing.ts'
import { toolOf, type OperationTool } from './tool.ts'

export interface Catalog {
  /** By the name of the operation, in the order of app.ts. */
  all: ReadonlyMap<string, OperationTool>
  /** In the order in which they are listed. */
  direct: readonly OperationTool[]
  /** What only signed-in people can do: found, and not run. */
  people: readonly PeopleOperation[]
}

export function catalogOf(
  operations: readonly Operation[],
  people: readonly PeopleOperation[] = [],
): Catalog {
  const { rename } = mcpPhrasing(operations)
  const tools = operations
    .filter((operation) => !asGuest(operation) && !neverTools.has(operation.name))
    .map((operation) => toolOf(operation, { name: operation.tool, rename }))
  const all = new Map<string, OperationTool>(tools.map((tool) => [tool.operation.name, tool]))
  const direct = tools.filter(({ operation }) => operation.tool !== undefined)
  return { all, direct: direct.filter(({ operation }) => !asStream(operation)), people }
}

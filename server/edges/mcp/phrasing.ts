/**
 * How MCP names operations in next steps: by their tools. An operation that is no tool of its own
 * has its name, and a sentence at the end says which tool runs it. An operation that MCP does not
 * have is left to the search.
 */
import { asGuest } from '../../contract/guests.ts'
import { routesInText, type Phrasing } from '../../contract/next-steps.ts'
import type { Operation } from '../../contract/operation.ts'
import { directOperations, neverTools, ownNames } from './direct.ts'

export function mcpPhrasing(operations: readonly Operation[]): Phrasing {
  const usable = operations.filter((one) => !asGuest(one) && !neverTools.has(one.name))
  const byRoute = new Map<string, Operation>(usable.map((one) => [one.route, one]))
  return {
    door: 'mcp',
    rephrase(text) {
      const named = [...text.matchAll(routesInText)].flatMap(([route]) => byRoute.get(route) ?? [])
      const told = text.replaceAll(routesInText, (route) => nameOf(byRoute.get(route), route))
      return [told, ...runners(new Set(named))].join(' ')
    },
  }
}

function nameOf(operation: Operation | undefined, route: string): string {
  if (!operation) return `the operation for ${subjectOf(route)} (search_operations)`
  const { name } = operation
  return isDirect(operation) ? (ownNames.get(name) ?? toolName(operation)) : name
}

function isDirect({ name }: Operation): boolean {
  return directOperations.includes(name)
}

/** `documents.query` is the tool documents_query. */
export function toolName({ name }: Operation): string {
  return name.replace('.', '_')
}

/** `POST /apps/{id}/migrations` is about "apps migrations". */
function subjectOf(route: string): string {
  const words = route.match(/(?<=\/)[a-z][\w-]*/g) ?? []
  return `"${words.join(' ')}"`
}

/** Which tools run the operations that are no tools of their own, in a sentence for each. */
function runners(operations: ReadonlySet<Operation>): string[] {
  const found = [...operations].filter((one) => !isDirect(one))
  return (['read', 'write'] as const).flatMap((tool) => {
    const names = found.filter(({ effect }) => (effect === 'read') === (tool === 'read'))
    if (names.length === 0) return []
    return [`Run ${names.map(({ name }) => name).join(' and ')} with run_${tool}_operation.`]
  })
}

/**
 * Names operations in next steps for MCP: by tool if it is listed by default, otherwise by operation
 * name with a final sentence that names the tool to run it. For an unknown operation the text refers
 * to search_operations.
 */
import { routesInText, type Phrasing } from '../../contract/problems/next-steps.ts'
import type { Operation } from '../../contract/operation.ts'
import { defaultOperations, neverTools } from './default-tools.ts'

export function createMcpPhrasing(operations: readonly Operation[]): Phrasing {
  const usable = operations.filter((one) => one.kind !== 'guest' && !neverTools.has(one.name))
  const operationOf = (route: string) =>
    usable.find((one) => one.route === route) ?? usable.find((one) => isOf(route, one))
  const rename = (text: string) =>
    text.replaceAll(routesInText, (route) => nameOf(operationOf(route), route))
  return {
    entry_point: 'mcp',
    rename,
    rephrase(text) {
      const named = [...text.matchAll(routesInText)].flatMap(([route]) => operationOf(route) ?? [])
      return [rename(text), ...runners(new Set(named))].join(' ')
    },
  }
}

/** Replaces the routes of operations by their names, and leaves others, such as those of visitors' pages. */
export function createRenaming(operations: readonly Operation[]): (text: string) => string {
  const names = new Map<string, string>(
    operations.filter(({ kind }) => kind !== 'guest').map(({ route, name }) => [route, name]),
  )
  return (text) => text.replaceAll(routesInText, (route) => names.get(route) ?? route)
}

function nameOf(operation: Operation | undefined, route: string): string {
  if (!operation) return `the operation for ${subjectOf(route)} (search_operations)`
  const { name } = operation
  const shown = isDefault(operation) ? (operation.tool ?? toToolName(operation)) : name
  return [shown, ...givenIn(route, operation)].join(' with ')
}

/** Whether a route belongs to an operation, with parameters in braces or filled in. */
function isOf(route: string, operation: Operation): boolean {
  const asked = route.split('/')
  const declared = operation.route.split('/')
  return (
    asked.length === declared.length &&
    declared.every((part, at) => part === asked[at] || part.startsWith('{'))
  )
}

/** Returns the parameters that a route has filled in: `id 0198…` for `PUT /sites/0198…`. */
function givenIn(route: string, operation: Operation): string[] {
  const asked = route.split('/')
  return operation.route
    .split('/')
    .flatMap((part, at) => (part === asked[at] ? [] : [`${part.slice(1, -1)} ${asked[at]}`]))
}

function isDefault({ name }: Operation): boolean {
  return defaultOperations.includes(name)
}

/** Returns the name of the tool of an operation: `documents.query` is the tool documents_query. */
export function toToolName({ name }: Operation): string {
  return name.replace('.', '_')
}

/** Returns the subject of a route: `POST /apps/{id}/migrations` is about "apps migrations". */
function subjectOf(route: string): string {
  const words = route.match(/(?<=\/)[a-z][\w-]*/g) ?? []
  return `"${words.join(' ')}"`
}

/** Returns sentences that name the tools to run the operations that are not listed by default. */
function runners(operations: ReadonlySet<Operation>): string[] {
  const found = [...operations].filter((one) => !isDefault(one))
  return (['read', 'write'] as const).flatMap((tool) => {
    const names = found.filter(({ effect }) => (effect === 'read') === (tool === 'read'))
    if (names.length === 0) return []
    return [`Run ${names.map(({ name }) => name).join(' and ')} with run_${tool}_operation.`]
  })
}

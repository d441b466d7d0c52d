/**
 * Which operations a connection can use, from the query of its address: `/mcp?toolsets=data,sites`
 * and `read_only=true`. A toolset is the first part of a scope, so each new area has one. Named
 * toolsets list all their operations as tools and exclude every other operation; `all` lists every
 * operation. A view never adds permissions.
 */
import { Problem } from '../../../contract/errors.ts'
import type { Operation } from '../../../contract/operation.ts'
import { scopeNames, type Scope } from '../../../contract/scopes.ts'
import { defaultOperations } from '../../describe/default-tools.ts'

export interface View {
  /** null lists the default tools and excludes no operation. */
  toolsets: ReadonlySet<string> | 'all' | null
  read_only: boolean
}

const toolsetNames: readonly string[] = [...new Set(scopeNames.map(toolsetOf))]

export function readView(query: unknown): View {
  const given = new Map<string, unknown>(Object.entries(Object(query)))
  for (const name of given.keys()) {
    if (name !== 'toolsets' && name !== 'read_only')
      throw new Problem(
        'invalid_parameter',
        `The address of MCP takes toolsets and read_only, and no "${name}".`,
      )
  }
  return {
    toolsets: readToolsets(given.get('toolsets')),
    read_only: readFlag(given.get('read_only')),
  }
}

function readToolsets(given: unknown): View['toolsets'] {
  if (given === undefined || given === '') return null
  if (given === 'all') return given
  const names = String(given)
    .split(',')
    .map((name) => name.trim())
  const unknown = names.find((name) => !toolsetNames.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new Problem(
    'invalid_parameter',
    `There is no toolset "${unknown}". The toolsets are all, ${toolsetNames.join(', ')}.`,
  )
}

function readFlag(given: unknown): boolean {
  if (given === undefined || given === 'false' || given === '0') return false
  if (given === 'true' || given === '1' || given === '') return true
  throw new Problem('invalid_parameter', 'read_only is true or false.')
}

function toolsetOf(scope: Scope): string {
  return scope.slice(0, scope.indexOf(':'))
}

/**
 * Whether the view includes an operation. An operation without a scope, such as the status, is
 * always included.
 */
export function isInView({ scope, effect }: Operation, { toolsets, read_only }: View): boolean {
  if (read_only && effect !== 'read') return false
  return toolsets === null || toolsets === 'all' || scope === null || toolsets.has(toolsetOf(scope))
}

/** Whether tools/list shows an operation of the view as a tool of its own. */
export function isListed(operation: Operation, view: View): boolean {
  if (!isInView(operation, view)) return false
  return view.toolsets !== null || defaultOperations.includes(operation.name)
}

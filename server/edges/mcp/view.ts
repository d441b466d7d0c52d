/**
 * What of everything a connection wants to see, said in its address: `/mcp?toolsets=data,sites`
 * and `read_only=true`. A toolset is the first part of a scope, so a new area has one by itself.
 * A view only ever takes away; what a key may do is its scopes' to say.
 */
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { scopeNames, type Scope } from '../../contract/scopes.ts'

export interface View {
  /** null: all of them. */
  toolsets: ReadonlySet<string> | null
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
  if (given === undefined || given === '' || given === 'all') return null
  const names = String(given)
    .split(',')
    .map((name) => name.trim())
  const unknown = names.find((name) => !toolsetNames.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new Problem(
    'invalid_parameter',
    `There is no toolset "${unknown}". These are: ${toolsetNames.join(', ')}.`,
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

/** Whether an operation is in view. What needs no scope, such as the status, always is. */
export function isInView({ scope, effect }: Operation, { toolsets, read_only }: View): boolean {
  if (read_only && effect !== 'read') return false
  return toolsets === null || scope === null || toolsets.has(toolsetOf(scope))
}

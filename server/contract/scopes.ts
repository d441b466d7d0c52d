/**
 * The scopes in the specification's order. A request without the scope of an operation gets 403
 * missing_scope. Each area has its own in its `vocabulary.ts`.
 */
import { sortByNames, mergeTables } from './catalogue/merge.ts'
import type { ScopeEntry } from './catalogue/entries/scope-entry.ts'
import { scopesOfAreas } from './catalogue/scopes-of-areas.ts'
import { scopeOrder } from './catalogue/specification-order.ts'

const table = sortByNames(mergeTables(scopesOfAreas), scopeOrder)

export type Scope = keyof typeof table

/** Every scope with its description, in the specification's order. */
export const scopes: Readonly<Record<Scope, ScopeEntry>> = table

/** The names of the scopes, in the specification's order. */
export const scopeNames: readonly Scope[] = Object.keys(table).filter(isScope)

export function isScope(word: string): word is Scope {
  return Object.hasOwn(table, word)
}

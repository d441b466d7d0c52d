/** Loads the operations that the areas export. */
import { filesOf, type Tree } from '../tree.ts'

/** An export of an operations.ts; `name` and `route` are missing if it is no operation. */
export interface Declared {
  file: string
  key: string
  name: string
  route: string
}

const ofKeys = /^server\/areas\/[^/]+\/(?:[^/]+\/)?operations(?:\.ts|\/[^/]+(?<!\.test)\.ts)$/
const ofPeople = /^server\/areas\/[^/]+\/people-operations(?:-[\w-]+)?\.ts$/

/** All exports of the operations.ts files. */
export function readOperations(tree: Tree): Promise<Declared[]> {
  return readDeclared(tree, ofKeys)
}

/** All exports of the people-operations.ts files. */
export function readPeopleOperations(tree: Tree): Promise<Declared[]> {
  return readDeclared(tree, ofPeople)
}

async function readDeclared(tree: Tree, pattern: RegExp): Promise<Declared[]> {
  const files = filesOf(tree, pattern)
  const read = await Promise.all(
    files.map(async ([file]) => {
      const exported: Record<string, unknown> = await import(`../../../${file}`)
      return Object.entries(exported).map(([key, value]) => ({ file, key, ...namesOf(value) }))
    }),
  )
  return read.flat()
}

function namesOf(value: unknown): { name: string; route: string } {
  const none = { name: '', route: '' }
  if (typeof value !== 'object' || value === null) return none
  if (!('name' in value) || !('route' in value) || !('run' in value)) return none
  const { name, route } = value
  return typeof name === 'string' && typeof route === 'string' ? { name, route } : none
}

/** The operations as the areas export them, read from the program itself. */
import { filesOf, type Tree } from './tree.ts'

/** An export of an operations.ts. What is no operation has neither name nor route. */
export interface Declared {
  file: string
  key: string
  name: string
  route: string
}

const ofKeys = /^server\/areas\/[^/]+\/operations(?:\.ts|\/[^/]+(?<!\.test)\.ts)$/
const ofPeople = /^server\/areas\/[^/]+\/people-operations(?:-[\w-]+)?\.ts$/

/** Everything that the operations.ts files export. */
export function readOperations(tree: Tree): Promise<Declared[]> {
  return readDeclared(tree, ofKeys)
}

/** The same of operations that belong to people alone. */
export function readPeopleOperations(tree: Tree): Promise<Declared[]> {
  return readDeclared(tree, ofPeople)
}

async function readDeclared(tree: Tree, pattern: RegExp): Promise<Declared[]> {
  const files = filesOf(tree, pattern)
  const read = await Promise.all(
    files.map(async ([file]) => {
      const exported: Record<string, unknown> = await import(`../../${file}`)
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

/** The operations as the areas export them, read from the program itself. */
import { filesOf, type Tree } from './tree.ts'

/** An export of an operations.ts. What is no operation has neither name nor route. */
export interface Declared {
  file: string
  key: string
  name: string
  route: string
}

/** Everything that the operations.ts files export. */
export async function readOperations(tree: Tree): Promise<Declared[]> {
  const files = filesOf(tree, /^server\/areas\/[^/]+\/operations(?:\.ts|\/[^/]+(?<!\.test)\.ts)$/)
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

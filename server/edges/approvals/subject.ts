/**
 * What an approval is about, such as the site that would be deleted: its arguments hold an id, which
 * says nothing to the person who decides. It is read by the operation that shows the same thing.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { requireAllowed } from '../admission.ts'
import { prepare } from '../mcp/run.ts'
import type { OperationTool } from '../mcp/tool.ts'

/** The route that shows what another one is about: `GET /sites/{id}` for `DELETE /sites/{id}`. */
export function readingRoute({ route }: Operation): string | null {
  const [, path = ''] = route.split(' ')
  const end = path.lastIndexOf('}')
  return end === -1 ? null : `GET ${path.slice(0, end + 1)}`
}

/** Its reply as JSON text; null where it is not there, or not for this caller. */
export async function readSubject(
  tool: OperationTool,
  given: Record<string, unknown>,
  caller: Caller,
): Promise<string | null> {
  const { operation } = tool
  const names = new Set([...operation.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  const asked = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
  try {
    await requireAllowed(operation, caller, 'person')
    return await prepare(tool, asked).run(caller)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/**
 * Reads the target of an approval, because its arguments contain only an id. The target is read
 * with the GET operation of the same resource.
 */
import { isPassing } from '../../areas/approvals/service.ts'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { requireAllowed } from '../admission.ts'
import { prepareCall } from '../mcp/tools/run.ts'
import type { OperationTool } from '../mcp/tools/tool.ts'

/**
 * Returns the route that reads the target of an operation: `GET /sites/{id}` for `DELETE
 * /sites/{id}`; null if there is no id in the path.
 */
export function findReadingRoute({ route }: Operation): string | null {
  const [, path = ''] = route.split(' ')
  const end = path.lastIndexOf('}')
  return end === -1 ? null : `GET ${path.slice(0, end + 1)}`
}

/**
 * Returns the reply as JSON text; null if the target does not exist or the caller may not read it.
 */
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
    return await prepareCall(tool, asked).run(caller)
  } catch (error) {
    if (error instanceof Problem && !isPassing(error)) return null
    throw error
  }
}

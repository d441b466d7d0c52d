/** Fits the next step of a refusal to the operation: what is not found is looked up in its own lists. */
import { Problem } from '../../../contract/errors.ts'
import type { OperationTool } from './tool.ts'

/** Runs it. An unknown id gets a next step that names the lists of this operation, if it has any. */
export async function withOwnLists<T>(
  { lists }: Pick<OperationTool, 'lists'>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'not_found' || lists.length === 0) throw error
    if (error.extra.next_step !== undefined) throw error
    const next_step = `Take it from ${lists.join(' and ')}. Do not guess ids.`
    throw new Problem('not_found', error.detail, { ...error.extra, next_step })
  }
}

/** The routes of the lists that have the things in the path: `GET /sites` for `DELETE /sites/{id}`. */
export function listsFor(path: string, routes: ReadonlySet<string>): string[] {
  const starts = [...path.matchAll(/\/\{/g)].map(({ index }) => path.slice(0, index))
  // `/collections/{name}/documents/batch` is about the documents in the list before it.
  const [, parent = ''] = /^(.*\/[a-z_]+)\/[a-z_-]+$/.exec(path) ?? []
  return [...starts, parent].map((start) => `GET ${start}`).filter((route) => routes.has(route))
}

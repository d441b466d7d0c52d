/** The URLs of the thumbnails of the files in view, in requests of sixty files. */
import { useQueries } from '@tanstack/react-query'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { thumbnailsQuery, type Media } from '../queries.ts'

const GROUP = 60

export function useThumbnails(
  files: readonly Media[],
  indexes: readonly number[],
): ReadonlyMap<string, string> {
  const scope = useProjectScope()
  const groups = [...new Set(indexes.map((index) => Math.floor(index / GROUP)))]
  return useQueries({
    queries: groups.map((group) => {
      const ids = files
        .slice(group * GROUP, (group + 1) * GROUP)
        .filter(({ kind, status }) => kind === 'image' && status === 'ready')
        .map(({ id }) => id)
      return thumbnailsQuery(scope, ids)
    }),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }) => [...(data ?? [])].map(([id, { url }]) => [id, url] as const)),
      ),
  })
}

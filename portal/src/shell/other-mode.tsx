/** For pages that show one mode: says so, and how many records the other mode has. */
import type { InfiniteData } from '@tanstack/react-query'
import type { Scope } from '../api/client.ts'
import { useProjectScope } from '../api/project-scope.tsx'
import { Button } from '../ui/actions/button.tsx'
import { useSetMode } from './mode-bar.tsx'
import { useShellTexts } from './texts.ts'

/** The other mode of the project; `has_both` is false in a project of a live and test pair. */
export function useOtherMode(): { other: Scope; has_both: boolean } {
  const { mode, project, project_id } = useProjectScope()
  const other = { project_id, mode: mode === 'test' ? 'live' : 'test' } as const
  return { other, has_both: project.shape === 'single' }
}

type Pages<Row> = InfiniteData<{ data: readonly Row[]; next_cursor: string | null }> | undefined

/** The number of rows of the first page, such as `13` or `50+`; empty if there is none. */
export function countFirstPage<Row>(
  pages: Pages<Row>,
  isCounted: (row: Row) => boolean = () => true,
): string {
  const [first] = pages?.pages ?? []
  const count = first?.data.filter(isCounted).length ?? 0
  if (count === 0) return ''
  return first?.next_cursor === null ? String(count) : `${count}+`
}

export function OtherMode({ count }: { count: string }) {
  const t = useShellTexts()
  const { other, has_both } = useOtherMode()
  const setMode = useSetMode()
  if (count === '' || !has_both) return null
  return (
    <p className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
      {t(`more_${other.mode}`, { number: count })}
      <Button size="sm" onClick={() => setMode(other.mode)}>
        {t(`switch_to_${other.mode}`)}
      </Button>
    </p>
  )
}

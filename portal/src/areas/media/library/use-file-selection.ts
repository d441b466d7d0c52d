/** The selected files: single ones, ranges, or all that match the filters. */
import { useRef, useState } from 'react'
import type { Media } from '../queries.ts'

export interface FileSelection {
  selected: ReadonlySet<string>
  /** With `range`, selects all files from the last toggled one to this one. */
  toggle(id: string, range: boolean): void
  /** Selects the files between the last toggled one, or `from`, and this one. */
  extendTo(id: string, from: string | undefined): void
  selectAll(): void
  clear(): void
}

interface Given {
  files: readonly Media[]
  /** Loads the files that are not yet shown, and returns all. */
  loadAll(): Promise<readonly Media[]>
}

export function useFileSelection({ files, loadAll }: Given) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [isLoading, setLoading] = useState(false)
  const anchor = useRef<string | null>(null)
  const addRange = (from: string, to: string) => {
    const [first = 0, last = 0] = [from, to]
      .map((id) => files.findIndex((file) => file.id === id))
      .toSorted((a, b) => a - b)
    if (first < 0) return
    setSelected(selected.union(new Set(files.slice(first, last + 1).map(({ id }) => id))))
  }
  const selection: FileSelection = {
    selected,
    toggle(id, range) {
      if (range && anchor.current !== null) return addRange(anchor.current, id)
      anchor.current = id
      setSelected(selected.symmetricDifference(new Set([id])))
    },
    extendTo(id, from) {
      anchor.current ??= from ?? id
      addRange(anchor.current, id)
    },
    selectAll() {
      setLoading(true)
      void loadAll()
        .then((all) => setSelected(new Set(all.map(({ id }) => id))))
        .finally(() => setLoading(false))
    },
    clear() {
      anchor.current = null
      setSelected(new Set())
    },
  }
  return { selection, isLoading }
}

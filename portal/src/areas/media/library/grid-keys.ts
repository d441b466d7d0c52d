/** Keyboard navigation in a grid of tiles. */

interface Place {
  index: number
  columns: number
  count: number
}

interface Key {
  key: string
  ctrlKey: boolean
  metaKey: boolean
}

/** The index after a key; null if the key does not move the focus. */
export function movedIndex(
  { key, ctrlKey, metaKey }: Key,
  { index, columns, count }: Place,
): number | null {
  const isCommand = ctrlKey || metaKey
  const to = {
    ArrowLeft: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: isCommand ? 0 : index - (index % columns),
    End: isCommand ? count - 1 : index - (index % columns) + columns - 1,
  }[key]
  if (to === undefined) return null
  if (to < 0) return key === 'ArrowUp' ? index : 0
  // Below the last full row is its last file.
  return Math.min(to, count - 1)
}

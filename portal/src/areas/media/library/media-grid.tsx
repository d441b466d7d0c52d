/**
 * The grid of files. Only the rows near the view are in the page, so a library of thousands of
 * files scrolls as smoothly as a small one. Scrolling to its end loads more.
 */
import { useQueries } from '@tanstack/react-query'
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { thumbnailsQuery, type Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { MediaTile } from './media-tile.tsx'
import type { FileSelection } from './use-file-selection.ts'

const GROUP = 60

const SKELETONS = 10
const OVERSCAN_ROWS = 4
/** More files are loaded when the view is this many rows from the end. */
const AHEAD_ROWS = 3
/** The height of the name and size below a picture, with the borders of a tile. */
const CAPTION_PX = 64

export interface MediaGridProps {
  files: readonly Media[]
  /** Null if the person may not change files. */
  selection: FileSelection | null
  onOpen(id: string): void
  onDelete(): void
  onEnd(): void
}

export function MediaGrid({ files, selection, onOpen, onDelete, onEnd }: MediaGridProps) {
  const t = useMediaTexts()
  const list = useRef<HTMLUListElement>(null)
  const { columns, gap, tile, top } = useLayout(list)
  const [active, setActive] = useState(0)
  const wantsFocus = useRef(false)
  const rows = Math.ceil(files.length / columns)
  const height = tile + CAPTION_PX
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => height + gap,
    overscan: OVERSCAN_ROWS,
    scrollMargin: top,
    // The focused file stays in the page when it is scrolled out of view.
    rangeExtractor: (range) => withRow(range, Math.floor(active / columns)),
  })
  // Rows change their height with the width of the window.
  useLayoutEffect(() => virtual.measure(), [virtual, height, gap])
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= rows - AHEAD_ROWS) onEnd()
  }, [last, rows, onEnd])
  const indexes = shown.flatMap(({ index }) => range(index * columns, columns, files.length))
  const urls = useThumbnails(files, indexes)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedIndex(event, { index: active, columns, count: files.length })
    if (next === null && !act(event, { files, active, selection, onDelete })) return
    event.preventDefault()
    if (next === null) return
    wantsFocus.current = true
    setActive(next)
    const file = files[next]
    if (event.shiftKey && file !== undefined) selection?.extendTo(file.id, files[active]?.id)
    virtual.scrollToIndex(Math.floor(next / columns))
  }
  return (
    <ul
      ref={list}
      aria-label={t('title')}
      className="relative"
      style={{ height: virtual.getTotalSize() }}
      onKeyDown={onKeyDown}
    >
      {shown.flatMap(({ index: row, start }) =>
        range(row * columns, columns, files.length).map((index) => {
          const file = files[index]
          if (file === undefined) return null
          return (
            <MediaTile
              key={file.id}
              file={file}
              url={urls.get(file.id)}
              place={{ index, count: files.length }}
              style={{
                width: tile,
                height,
                transform: `translate(${(index % columns) * (tile + gap)}px, ${start - top}px)`,
              }}
              isActive={index === active}
              focus={index === active ? wantsFocus : null}
              onFocus={() => setActive(index)}
              onOpen={onOpen}
              selection={selection}
            />
          )
        }),
      )}
    </ul>
  )
}

function withRow(wanted: Range, row: number): number[] {
  const rows = defaultRangeExtractor(wanted)
  if (rows.includes(row) || row >= wanted.count) return rows
  return [...rows, row].toSorted((a, b) => a - b)
}

function range(from: number, count: number, end: number): number[] {
  return Array.from({ length: Math.max(0, Math.min(count, end - from)) }, (_, n) => from + n)
}

interface Acting extends Pick<MediaGridProps, 'files' | 'selection' | 'onDelete'> {
  active: number
}

/** Does what a key means in the grid; false if it means nothing. */
function act(event: KeyboardEvent, { files, active, selection, onDelete }: Acting): boolean {
  const file = files[active]
  if (selection === null || file === undefined) return false
  const isCommand = event.ctrlKey || event.metaKey
  if (event.key === ' ') selection.toggle(file.id, event.shiftKey)
  else if (isCommand && event.key === 'a') selection.selectAll()
  else if (event.key === 'Escape' && selection.selected.size > 0) selection.clear()
  else if (event.key === 'Delete' && selection.selected.size > 0) onDelete()
  else return false
  return true
}

const SMALL_PX = 600
const LARGE_PX = 1_000
const SMALL_GAP_PX = 12
const GAP_PX = 16

interface Layout {
  columns: number
  gap: number
  /** Width of a tile in px. */
  tile: number
  /** The distance of the list from the top of the page in px. */
  top: number
}

function useLayout(list: { readonly current: HTMLElement | null }): Layout {
  const [size, setSize] = useState({ width: 0, top: 0 })
  useLayoutEffect(() => {
    const element = list.current
    if (element === null) return
    const measure = () => {
      const { width, top } = element.getBoundingClientRect()
      const next = { width, top: Math.round(top + scrollY) }
      setSize((now) => (now.width === next.width && now.top === next.top ? now : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  const { width, top } = size
  const columns = width < SMALL_PX ? 2 : width < LARGE_PX ? 3 : 5
  const gap = width < SMALL_PX ? SMALL_GAP_PX : GAP_PX
  return { columns, gap, tile: Math.floor((width - gap * (columns - 1)) / columns), top }
}

export function GridSkeleton() {
  const t = useMediaTexts()
  return (
    <div
      role="status"
      aria-label={t('title')}
      className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-5"
    >
      {Array.from({ length: SKELETONS }, (_, index) => (
        <Skeleton key={index} className="aspect-4/5 rounded-xl" />
      ))}
    </div>
  )
}

/** The URLs of the thumbnails of the files in view, in requests of sixty files. */
function useThumbnails(
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
function movedIndex(
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

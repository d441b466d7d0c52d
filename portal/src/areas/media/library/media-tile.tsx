/** One file in the grid: its thumbnail, name and size, and whether it is selected. */
import { Check } from 'lucide-react'
import { memo, useEffect, useRef, type CSSProperties, type MouseEvent, type RefObject } from 'react'
import { useFormat } from '../../../language/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { positionOf } from '../file/point.ts'
import type { Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { KindIcon } from './kind-icon.tsx'
import type { FileSelection } from './use-file-selection.ts'

export interface MediaTileProps {
  file: Media
  url: string | undefined
  place: { index: number; count: number }
  style: CSSProperties
  /** Whether the keyboard reaches this tile. */
  isActive: boolean
  /** Set if the tile takes the focus; the tile clears it. */
  focus: RefObject<boolean> | null
  selection: FileSelection | null
  onFocus(): void
  onOpen(id: string): void
}

export function MediaTile({ file, url, place, style, isActive, ...rest }: MediaTileProps) {
  const t = useMediaTexts()
  const { focus, selection, onFocus, onOpen } = rest
  const { id, filename, status } = file
  const isSelected = selection?.selected.has(id) === true
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (focus === null || !focus.current) return
    focus.current = false
    button.current?.focus({ preventScroll: true })
  })
  const onClick = (event: MouseEvent) => {
    const selects = event.shiftKey || event.ctrlKey || event.metaKey
    if (selects && selection !== null) selection.toggle(id, event.shiftKey)
    else onOpen(id)
  }
  return (
    <li
      aria-posinset={place.index + 1}
      aria-setsize={place.count}
      style={style}
      className={cx(
        'group absolute top-0 left-0 min-w-0 overflow-hidden rounded-xl border bg-surface shadow-card',
        isSelected ? 'border-accent ring-2 ring-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <div
        className="relative grid place-items-center overflow-hidden bg-hover text-faint"
        style={{ height: style.width }}
      >
        <Thumbnail file={file} url={url} />
        {status !== 'ready' && (
          <span className="absolute bottom-2 left-2">
            <Badge tone={status === 'processing' ? 'info' : 'bad'}>{t(`status_${status}`)}</Badge>
          </span>
        )}
      </div>
      <div className="px-3 pt-2.5">
        <button
          ref={button}
          type="button"
          tabIndex={isActive ? 0 : -1}
          onFocus={onFocus}
          onClick={onClick}
          className="block w-full truncate text-left text-sm font-medium outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {filename}
        </button>
        <Size file={file} />
      </div>
      {selection !== null && (
        <SelectBox
          filename={filename}
          isSelected={isSelected}
          isActive={isActive}
          onSelect={(event) => selection.toggle(id, event.shiftKey)}
        />
      )}
    </li>
  )
}

function Size({ file: { bytes, kind, status, alt } }: { file: Media }) {
  const t = useMediaTexts()
  const format = useFormat()
  return (
    <p className="truncate text-xs text-muted">
      {format.bytes(bytes)}
      {kind === 'image' && status === 'ready' && alt === null && ` · ${t('no_alt')}`}
    </p>
  )
}

interface SelectBoxProps {
  filename: string
  isSelected: boolean
  isActive: boolean
  onSelect(event: MouseEvent): void
}

function SelectBox({ filename, isSelected, isActive, onSelect }: SelectBoxProps) {
  const t = useMediaTexts()
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isSelected}
      aria-label={t('select', { filename })}
      tabIndex={isActive ? 0 : -1}
      onClick={onSelect}
      className={cx(
        'absolute top-2 left-2 z-10 grid size-6 place-items-center rounded-md border shadow-card',
        isSelected
          ? 'border-accent bg-accent text-on-accent'
          : 'border-line-strong bg-surface text-transparent sm:opacity-0 sm:group-hover:opacity-100 sm:focus-visible:opacity-100',
      )}
    >
      <Check className="size-4" aria-hidden="true" />
    </button>
  )
}

/** Shows the tiny preview at once, and covers it with the thumbnail when that is loaded. */
const Thumbnail = memo(function Thumbnail({ file, url }: Pick<MediaTileProps, 'file' | 'url'>) {
  const { kind, placeholder, alt, focal_point } = file
  if (kind !== 'image' || (url === undefined && placeholder === null)) {
    return <KindIcon kind={kind} className="size-8" />
  }
  const style = { objectPosition: positionOf(focal_point) }
  return (
    <>
      {placeholder !== null && (
        <img
          src={placeholder}
          alt=""
          style={style}
          className="absolute inset-0 size-full object-cover"
        />
      )}
      {url !== undefined && (
        <img
          src={url}
          alt={alt ?? ''}
          decoding="async"
          style={style}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  )
})

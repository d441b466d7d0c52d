/** The grid of files. Scrolling to its end loads more. */
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { cx } from '../../ui/class-names.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { KindIcon } from './kind-icon.tsx'
import { thumbnailsQuery, type Media } from './queries.ts'
import { mediaTexts } from './texts.ts'

const gridClass = 'grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 xl:grid-cols-5'
/** Number of files whose thumbnails one request loads. */
const GROUP = 60
const SKELETONS = 10
/** The distance below the view at which more files are loaded. */
const AHEAD = '600px'

export interface MediaGridProps {
  files: readonly Media[]
  selected: ReadonlySet<string>
  onOpen(id: string): void
  /** Selects or deselects a file; without it files cannot be selected. */
  onToggle?(id: string): void
  onEnd(): void
}

export function MediaGrid({ files, onEnd, ...rest }: MediaGridProps) {
  const t = useTexts(mediaTexts)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) onEnd()
      },
      { rootMargin: AHEAD },
    )
    if (end.current !== null) observer.observe(end.current)
    return () => observer.disconnect()
  }, [onEnd])
  const groups = Array.from({ length: Math.ceil(files.length / GROUP) }, (_, index) =>
    files.slice(index * GROUP, (index + 1) * GROUP),
  )
  return (
    <>
      <ul aria-label={t('title')} className={gridClass}>
        {groups.map((group) => (
          <Group key={group[0]?.id} files={group} {...rest} />
        ))}
      </ul>
      <div ref={end} />
    </>
  )
}

function Group({ files, selected, ...rest }: Omit<MediaGridProps, 'onEnd'>) {
  const scope = useProjectScope()
  const pictures = files.filter(({ kind, status }) => kind === 'image' && status === 'ready')
  const { data: urls } = useQuery(
    thumbnailsQuery(
      scope,
      pictures.map(({ id }) => id),
    ),
  )
  return files.map((file) => (
    <Tile
      key={file.id}
      file={file}
      url={urls?.get(file.id)}
      isSelected={selected.has(file.id)}
      {...rest}
    />
  ))
}

interface TileProps extends Pick<MediaGridProps, 'onOpen' | 'onToggle'> {
  file: Media
  url: string | undefined
  isSelected: boolean
}

function Tile({ file, url, isSelected, onOpen, onToggle }: TileProps) {
  const t = useTexts(mediaTexts)
  const format = useFormat()
  const { id, filename, alt, bytes, status } = file
  return (
    <li
      className={cx(
        'group relative min-w-0 rounded-xl border bg-surface shadow-card transition-colors [content-visibility:auto]',
        isSelected ? 'border-accent ring-2 ring-accent' : 'border-line hover:border-line-strong',
      )}
    >
      <div className="relative grid aspect-square place-items-center overflow-hidden rounded-t-xl bg-hover text-faint">
        <Thumbnail file={file} url={url} />
        {status !== 'ready' && (
          <span className="absolute bottom-2 left-2">
            <Badge tone={status === 'processing' ? 'info' : 'bad'}>{t(`status_${status}`)}</Badge>
          </span>
        )}
      </div>
      <div className="p-3">
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="block w-full truncate text-left text-sm font-medium outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:after:outline-2 focus-visible:after:outline-accent"
        >
          {filename}
        </button>
        <p className="truncate text-xs text-muted">
          {format.bytes(bytes)}
          {file.kind === 'image' && status === 'ready' && alt === null && ` · ${t('no_alt')}`}
        </p>
      </div>
      {onToggle !== undefined && (
        <button
          type="button"
          role="checkbox"
          aria-checked={isSelected}
          aria-label={t('select', { filename })}
          onClick={() => onToggle(id)}
          className={cx(
            'absolute top-2 left-2 z-10 grid size-6 place-items-center rounded-md border shadow-card',
            isSelected
              ? 'border-accent bg-accent text-on-accent'
              : 'border-line-strong bg-surface text-transparent sm:opacity-0 sm:group-hover:opacity-100 sm:focus-visible:opacity-100',
          )}
        >
          <Check className="size-4" aria-hidden="true" />
        </button>
      )}
    </li>
  )
}

/** Shows the tiny preview at once, and covers it with the thumbnail when that is loaded. */
function Thumbnail({ file, url }: Pick<TileProps, 'file' | 'url'>) {
  const { kind, placeholder, alt } = file
  if (kind !== 'image' || (url === undefined && placeholder === null)) {
    return <KindIcon kind={kind} className="size-8" />
  }
  return (
    <>
      {placeholder !== null && (
        <img src={placeholder} alt="" className="absolute inset-0 size-full object-cover blur-md" />
      )}
      {url !== undefined && (
        <img
          src={url}
          alt={alt ?? ''}
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  )
}

export function GridSkeleton() {
  const t = useTexts(mediaTexts)
  return (
    <div role="status" aria-label={t('title')} className={gridClass}>
      {Array.from({ length: SKELETONS }, (_, index) => (
        <Skeleton key={index} className="aspect-4/5 rounded-xl" />
      ))}
    </div>
  )
}

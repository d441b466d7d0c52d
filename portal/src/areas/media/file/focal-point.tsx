/**
 * Sets the point of a picture that stays visible when it is cropped: by a click, by dragging, or by
 * the arrow keys. Crops beside it show the result. A change is saved when the pointer is released,
 * or when no key was pressed for a moment.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { changeFile, mediaKey, type Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { centre, movedBy, pointAt, positionOf, type Point } from './point.ts'

const SAVED_AFTER_MS = 600
const crops = ['aspect-square w-16', 'aspect-video w-28', 'aspect-3/4 w-12'] as const

export interface FocalPointProps {
  file: Media
  url: string
}

export function FocalPoint({ file, url }: FocalPointProps) {
  const t = useMediaTexts()
  const { point, isChosen, place, save } = useFocalPoint(file)
  const mayWrite = useProjectScope().may('member')
  return (
    <section className="flex flex-col gap-3">
      <Target file={file} url={url} point={point} disabled={!mayWrite} place={place} save={save} />
      <div className="flex flex-wrap items-end gap-3">
        {crops.map((shape) => (
          <img
            key={shape}
            src={url}
            alt=""
            className={`${shape} rounded-lg border border-line object-cover`}
            style={{ objectPosition: positionOf(point) }}
          />
        ))}
        <p className="min-w-40 flex-1 text-sm text-muted">{t('focal_about')}</p>
        {mayWrite && isChosen && (
          <Button size="sm" kind="ghost" onClick={() => save(null)}>
            {t('focal_reset')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** The point as the person sees it, before and after it is saved. */
function useFocalPoint(file: Media) {
  const scope = useProjectScope()
  const [draft, setDraft] = useState<Point | null>(file.focal_point)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { mutate } = useAct({
    run: (focal_point: Point | null) => changeFile(scope, file.id, { focal_point }),
    refresh: [mediaKey(scope)],
  })
  const unsaved = useRef<Point | null>(null)
  const save = (next: Point | null) => {
    clearTimeout(timer.current)
    unsaved.current = null
    setDraft(next)
    mutate(next)
  }
  const place = (next: Point, how: 'soon' | 'later') => {
    setDraft(next)
    clearTimeout(timer.current)
    if (how === 'later') return
    unsaved.current = next
    timer.current = setTimeout(() => save(next), SAVED_AFTER_MS)
  }
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      if (unsaved.current !== null) mutate(unsaved.current)
    },
    [mutate],
  )
  return { point: draft ?? centre, isChosen: draft !== null, place, save }
}

interface TargetProps extends FocalPointProps {
  point: Point
  disabled: boolean
  /** `soon` saves the point after a moment; `later` leaves that to `save`. */
  place(point: Point, how: 'soon' | 'later'): void
  save(point: Point): void
}

function Target({ file, url, point, disabled, place, save }: TargetProps) {
  const t = useMediaTexts()
  const { alt, width, height } = file
  const percent = { x: Math.round(point.x * 100), y: Math.round(point.y * 100) }
  const at = (event: PointerEvent) => pointAt(event.currentTarget.getBoundingClientRect(), event)
  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(event, point)
    if (next === null) return
    event.preventDefault()
    place(next, 'soon')
  }
  return (
    <div className="grid place-items-center overflow-hidden rounded-xl border border-line bg-hover">
      <div
        role="slider"
        aria-label={t('focal_point')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent.x}
        aria-valuetext={t('focal_value', percent)}
        aria-disabled={disabled}
        tabIndex={disabled ? -1 : 0}
        className="relative touch-none outline-none focus-visible:outline-2 focus-visible:outline-accent"
        {...(!disabled && {
          onKeyDown,
          onPointerDown(event: PointerEvent) {
            event.currentTarget.setPointerCapture(event.pointerId)
            place(at(event), 'later')
          },
          onPointerMove(event: PointerEvent) {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) place(at(event), 'later')
          },
          onPointerUp: (event: PointerEvent) => save(at(event)),
        })}
      >
        <img
          src={url}
          alt={alt ?? ''}
          width={width ?? undefined}
          height={height ?? undefined}
          draggable={false}
          className="h-auto max-h-80 w-auto max-w-full cursor-crosshair object-contain select-none"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute size-7 -translate-1/2 rounded-full border-2 border-white bg-black/25 shadow-[0_0_0_1.5px_#000a] after:absolute after:inset-2 after:rounded-full after:bg-white"
          style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
        />
      </div>
    </div>
  )
}

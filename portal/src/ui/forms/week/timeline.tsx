/**
 * A day as a line from midnight to midnight. Dragging draws a span, moves it by its middle and
 * resizes it by its ends; for the keyboard the ends are sliders.
 */
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { cx } from '../../class-names.ts'
import {
  DAY_MINUTES,
  isOvernight,
  moved,
  sorted,
  STEP_MINUTES,
  timeOf,
  withEnd,
  withStart,
  type Span,
} from './spans.ts'

type Part = 'start' | 'end' | 'whole' | 'new'

interface Drag {
  part: Part
  index: number
  from: number
  /** The span at the beginning of the drag. */
  span: Span
}

export interface TimelineTexts {
  opens: string
  closes: string
}

export interface TimelineProps {
  /** Name of the day. */
  label: string
  spans: readonly Span[]
  /** Minutes until which a span of the previous day continues; 0 if none does. */
  continues: number
  disabled: boolean
  texts: TimelineTexts
  onChange(spans: readonly Span[]): void
}

const HOUR = 60

export function Timeline(props: TimelineProps) {
  const { label, spans, continues, disabled, texts, onChange } = props
  const track = useRef<HTMLDivElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  const minuteAt = (clientX: number) => {
    const box = track.current?.getBoundingClientRect()
    if (box === undefined) return 0
    const share = Math.min(Math.max((clientX - box.left) / box.width, 0), 1)
    return Math.round((share * DAY_MINUTES) / STEP_MINUTES) * STEP_MINUTES
  }
  const replace = (index: number, span: Span) => onChange(spans.with(index, span))
  const begin = (event: PointerEvent, part: Part, index: number) => {
    if (disabled || event.button !== 0) return
    event.stopPropagation()
    track.current?.setPointerCapture(event.pointerId)
    const at = minuteAt(event.clientX)
    if (part !== 'new') {
      const span = spans[index]
      if (span !== undefined) setDrag({ part, index, from: at, span })
      return
    }
    const start = Math.min(at, DAY_MINUTES - HOUR)
    const span = { start, end: start + HOUR }
    onChange([...spans, span])
    setDrag({ part: 'end', index: spans.length, from: span.end, span })
  }
  const move = (event: PointerEvent) => {
    if (drag === null) return
    const at = minuteAt(event.clientX)
    replace(drag.index, dragged(drag, at))
  }
  /** Sorts only at the end of the drag, so that the dragged span keeps its place in the list. */
  const finish = () => {
    if (drag !== null) onChange(sorted(spans))
    setDrag(null)
  }
  return (
    <div
      ref={track}
      data-timeline={label}
      className={cx(
        'relative h-9 touch-none rounded-lg border border-line bg-bg select-none',
        !disabled && 'cursor-crosshair',
      )}
      onPointerDown={(event) => begin(event, 'new', -1)}
      onPointerMove={move}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(null)}
    >
      <HourLines />
      {continues > 0 && (
        <span
          className="absolute inset-y-1 left-0 rounded-r-md bg-accent/25"
          style={{ width: `${percent(Math.min(continues, DAY_MINUTES))}%` }}
        />
      )}
      {spans.map((span, index) => (
        <Bar
          key={index}
          name={`${label} ${timeOf(span.start)}–${timeOf(span.end)}`}
          span={span}
          texts={texts}
          disabled={disabled}
          onBegin={(event, part) => begin(event, part, index)}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(spans.toSpliced(index, 1))}
        />
      ))}
    </div>
  )
}

function dragged({ part, from, span }: Drag, at: number): Span {
  if (part === 'start') return withStart(span, at)
  if (part === 'end') return withEnd(span, Math.min(at, DAY_MINUTES))
  return moved(span, at - from)
}

function percent(minutes: number): number {
  return (minutes / DAY_MINUTES) * 100
}

function HourLines() {
  return [3, 6, 9, 12, 15, 18, 21].map((hour) => (
    <span
      key={hour}
      aria-hidden="true"
      className="pointer-events-none absolute inset-y-0 w-px bg-line"
      style={{ left: `${percent(hour * HOUR)}%` }}
    />
  ))
}

interface BarProps {
  name: string
  span: Span
  texts: TimelineTexts
  disabled: boolean
  onBegin(event: PointerEvent, part: Part): void
  onChange(span: Span): void
  onRemove(): void
}

function Bar({ name, span, texts, disabled, onBegin, onChange, onRemove }: BarProps) {
  const shownEnd = Math.min(span.end, DAY_MINUTES)
  const removeBy = (event: KeyboardEvent) => {
    if (disabled || (event.key !== 'Delete' && event.key !== 'Backspace')) return
    event.preventDefault()
    onRemove()
  }
  return (
    <div
      role="group"
      aria-label={name}
      className={cx(
        'absolute inset-y-1 rounded-md bg-accent text-on-accent',
        isOvernight(span) && 'rounded-r-none',
        !disabled && 'cursor-grab active:cursor-grabbing',
      )}
      style={{ left: `${percent(span.start)}%`, width: `${percent(shownEnd - span.start)}%` }}
      onPointerDown={(event) => onBegin(event, 'whole')}
      onKeyDown={removeBy}
    >
      <Handle
        label={`${name}: ${texts.opens}`}
        value={span.start}
        edge="left"
        disabled={disabled}
        onBegin={(event) => onBegin(event, 'start')}
        onStep={(by) => onChange(withStart(span, span.start + by))}
      />
      <Handle
        label={`${name}: ${texts.closes}`}
        value={span.end}
        edge="right"
        disabled={disabled}
        onBegin={(event) => onBegin(event, 'end')}
        onStep={(by) => onChange(withEnd(span, span.end + by))}
      />
    </div>
  )
}

const steps: Readonly<Record<string, number>> = {
  ArrowRight: STEP_MINUTES,
  ArrowUp: STEP_MINUTES,
  ArrowLeft: -STEP_MINUTES,
  ArrowDown: -STEP_MINUTES,
  PageUp: HOUR,
  PageDown: -HOUR,
}

interface HandleProps {
  label: string
  value: number
  edge: 'left' | 'right'
  disabled: boolean
  onBegin(event: PointerEvent): void
  onStep(by: number): void
}

function Handle({ label, value, edge, disabled, onBegin, onStep }: HandleProps) {
  return (
    <span
      role="slider"
      tabIndex={disabled ? -1 : 0}
      aria-label={label}
      aria-disabled={disabled || undefined}
      aria-valuemin={0}
      aria-valuemax={2 * DAY_MINUTES}
      aria-valuenow={value}
      aria-valuetext={timeOf(value)}
      className={cx(
        'absolute inset-y-0 w-2.5 rounded-md after:absolute after:inset-y-2 after:w-0.5 after:rounded-full after:bg-on-accent/70',
        edge === 'left' ? 'left-0 after:left-1' : 'right-0 after:right-1',
        !disabled && 'cursor-ew-resize',
      )}
      onPointerDown={onBegin}
      onKeyDown={(event) => {
        const by = steps[event.key]
        if (disabled || by === undefined) return
        event.preventDefault()
        onStep(by)
      }}
    />
  )
}

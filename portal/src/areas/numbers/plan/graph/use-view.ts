/**
 * The part of the plan that the graph shows: the whole plan after steps were added, deleted or tidied
 * up, and always the chosen step.
 */
import { useReactFlow, type Node, type Rect, type Viewport } from '@xyflow/react'
import { useEffect, useMemo, useRef, type RefObject } from 'react'
import { usePlanEditor } from '../editor-context.tsx'

/** The part of the frame that the plan fills, and the smallest zoom at which it can be read. */
const FILLED = 0.9
const READABLE_ZOOM = 0.62
const MARGIN_PX = 24
/** Delays the fit until React Flow has measured new steps and the step form has its width. */
const SHOW_AFTER_MS = 90
const MOTION_MS = 200

interface Shown {
  ids: string
  isMoved: boolean
  selected: string | null
}

/**
 * Fits the plan and shows the selected step in one animation, because a second one would cancel the
 * first.
 */
export function useView(isMoved: boolean, frame: RefObject<HTMLDivElement | null>): void {
  const { getNode, getNodes, getNodesBounds, getViewport, setViewport } = useReactFlow()
  const { steps, selected } = usePlanEditor()
  const ids = useMemo(() => steps.map(({ id }) => id).join(' '), [steps])
  const shown = useRef<Shown>({ ids: '', isMoved: false, selected: null })
  useEffect(() => {
    const timer = setTimeout(() => {
      const box = frame.current
      const before = shown.current
      if (box === null) return
      shown.current = { ids, isMoved, selected }
      const mustFit = before.ids !== ids || (before.isMoved && !isMoved)
      if (!mustFit && before.selected === selected) return
      const start = mustFit ? fittedView(getNodesBounds(getNodes()), box) : getViewport()
      const view = withNode(selected === null ? undefined : getNode(selected), start, box)
      if (!mustFit && view === start) return
      void setViewport(view, { duration: still.matches ? 0 : MOTION_MS })
    }, SHOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [frame, getNode, getNodes, getNodesBounds, getViewport, ids, isMoved, selected, setViewport])
}

const still = matchMedia('(prefers-reduced-motion: reduce)')

type Box = Pick<HTMLElement, 'clientWidth' | 'clientHeight'>

/** The whole plan in the middle, or its start if it is too large to be read at once. */
function fittedView({ x, y, width, height }: Rect, box: Box): Viewport {
  const wanted = Math.min(box.clientWidth / width, box.clientHeight / height) * FILLED
  const zoom = Math.max(READABLE_ZOOM, Math.min(1, wanted))
  return {
    x: centred([x * zoom, width * zoom], box.clientWidth),
    y: centred([y * zoom, height * zoom], box.clientHeight),
    zoom,
  }
}

/** The move that centres a span in a length, or shows its start if it is longer. */
function centred([start, size]: readonly [number, number], length: number): number {
  return (size > length ? MARGIN_PX : (length - size) / 2) - start
}

/** Moves a view until a node lies inside it; the same view if it does already. */
function withNode(node: Node | undefined, view: Viewport, box: Box): Viewport {
  if (node === undefined) return view
  const { x, y, zoom } = view
  const { position, measured } = node
  const width = measured?.width ?? node.width ?? 0
  const height = measured?.height ?? node.height ?? 0
  const byX = inside([x + position.x * zoom, width * zoom], box.clientWidth)
  const byY = inside([y + position.y * zoom, height * zoom], box.clientHeight)
  return byX === 0 && byY === 0 ? view : { x: x + byX, y: y + byY, zoom }
}

/** How far a span must move to lie inside a length. */
function inside([start, size]: readonly [number, number], length: number): number {
  if (start < MARGIN_PX) return MARGIN_PX - start
  return Math.min(0, length - MARGIN_PX - (start + size))
}

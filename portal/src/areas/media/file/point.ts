/** A point of a picture, as fractions of its width and height. */

export interface Point {
  x: number
  y: number
}

export const centre: Point = { x: 0.5, y: 0.5 }

const STEP = 0.01
const LARGE_STEP = 0.1
const moves: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The point for the `object-position` of a cropped picture. */
export function positionOf(point: Point | null): string {
  const { x, y } = point ?? centre
  return `${x * 100}% ${y * 100}%`
}

interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** The point below the pointer; outside of the box, the nearest one in it. */
export function pointAt(
  { left, top, width, height }: Box,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  return { x: fraction((clientX - left) / width), y: fraction((clientY - top) / height) }
}

/** The point after an arrow key, with Shift in large steps; null for other keys. */
export function movedBy(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  { x, y }: Point,
): Point | null {
  const move = moves[key]
  if (move === undefined) return null
  const step = shiftKey ? LARGE_STEP : STEP
  return { x: fraction(x + move.x * step), y: fraction(y + move.y * step) }
}

function fraction(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 1000) / 1000))
}

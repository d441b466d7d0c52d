/** Texts for people, derived from names and descriptions of declarations. */
import type { Operation } from '../../contract/operation.ts'

/** Converts a name to a title: `call_plans` → `Call plans`. */
export function toTitle(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Converts a name to PascalCase: `numbers.get_call_plan` → `NumbersGetCallPlan`. */
export function toPascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Returns the first sentence, without its full stop. */
export function takeFirstSentence(text: string): string {
  const [first = text] = text.split(/(?<=[.!?])\s+(?=[A-Z])/)
  return first.replace(/\.$/, '')
}

/** Returns the area of an operation: the first part of its name. */
export function findArea({ name }: Operation): string {
  return name.slice(0, name.indexOf('.'))
}

/** Operations by area: areas in order of first appearance, operations by path. */
export function groupByArea(operations: readonly Operation[]): Map<string, Operation[]> {
  const areas = Map.groupBy(operations, findArea)
  return new Map([...areas].map(([area, members]) => [area, members.toSorted(byPath)]))
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function byPath(left: Operation, right: Operation): number {
  if (left.path !== right.path) return left.path < right.path ? -1 : 1
  return methodOrder.indexOf(left.method) - methodOrder.indexOf(right.method)
}

const durations: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]

/**
 * Formats seconds in the largest unit without a remainder: `300` → `5 minutes`; a single day is `24
 * hours`.
 */
export function formatDuration(seconds: number): string {
  const [size, unit] = durations.find(
    ([size]) => seconds % size === 0 && (seconds > size || size < 86_400),
  ) ?? [1, 'second']
  const amount = seconds / size
  return `${formatNumber(amount)} ${unit}${amount === 1 ? '' : 's'}`
}

const sizes = ['bytes', 'kB', 'MB', 'GB', 'TB']

export function formatBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= 1_024 && amount % 1_024 === 0 && unit < sizes.length - 1) {
    amount /= 1_024
    unit += 1
  }
  return `${formatNumber(amount)} ${sizes[unit] ?? ''}`
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

/**
 * What an area of the bench found: tables and plots as people see them, with the machine, the
 * versions and the load that it was found under. It is printed, and kept as JSON for the report.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Options } from './options.ts'
import { endDescendants, shareInUse } from './processor.ts'
import { rounded, type Spread } from './spread.ts'

export type Cell = string | number | Spread | null

export interface Table {
  title: string
  /** What there is to know before one reads it. */
  about?: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}

export interface Plot {
  /** Of its file. */
  name: string
  title: string
  x: Axis
  y: Axis
  series: readonly { name: string; points: readonly (readonly [x: number, y: number])[] }[]
}

export interface Axis {
  title: string
  scale: 'linear' | 'log'
}

export interface Found {
  tables: readonly Table[]
  plots?: readonly Plot[]
  /** Sentences that belong beside the tables. */
  notes?: readonly string[]
  versions?: Readonly<Record<string, string>>
  /** What could not be measured, and why. */
  missing?: Readonly<Record<string, string>>
  /** What produced the load. */
  generator: string
}

export interface Result extends Found {
  area: string
  command: string
  measured_at: string
  rounds: number
  seconds: number
  machine: { cores: number; model: string; memory_gb: number; node: string }
  load_average: { before: number; after: number }
  /** Which share of the processors others used just before it began. */
  other_work: number
  /** They used so much that the ratios hold at best, and the rates say little. */
  busy: boolean
}

/** Of the processors; a machine with nothing else to do uses less than this. */
export const QUIET_MAX = 0.15
const LOOK_MS = 3000
/** Stand in the kept command for the values of --against and --label. */
const NAMES = ['FOLDER', 'TEXT'] as const
const GB = 1024 ** 3

export const results_folder = join(import.meta.dirname, '..', 'results')

/** Begins an area; what it gives back ends it, prints the result and keeps it. */
export function begin(area: string, options: Options): (found: Found) => void {
  process.on('exit', endDescendants)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  const before = loadavg()[0] ?? 0
  const other_work = shareInUse(LOOK_MS)
  // The folder of another checkout says nothing on another machine.
  const named = new Map([options.against, options.label].map((one, at) => [one, NAMES[at]]))
  const given = process.argv
    .slice(2)
    .map((one) => named.get(one) ?? one)
    .join(' ')
  return (found) => {
    const result: Result = {
      area,
      command: `npm run bench -- ${area}${given === '' ? '' : ` ${given}`}`,
      measured_at: new Date().toISOString().slice(0, 10),
      rounds: options.rounds,
      seconds: options.seconds,
      machine: {
        cores: cpus().length,
        model: cpus()[0]?.model.trim() ?? 'unknown',
        memory_gb: Math.round(totalmem() / GB),
        node: process.version,
      },
      load_average: { before: rounded(before), after: rounded(loadavg()[0] ?? 0) },
      other_work: rounded(other_work),
      busy: other_work > QUIET_MAX,
      ...found,
    }
    print(result)
    if (!options.whole) return
    mkdirSync(results_folder, { recursive: true })
    const file = join(results_folder, `${area}.json`)
    writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  }
}

export function readResult(file: string): Result {
  return JSON.parse(readFileSync(file, 'utf8'))
}

export function cellText(cell: Cell): string {
  if (cell === null) return '–'
  if (typeof cell === 'string') return cell
  if (typeof cell === 'number') return numberText(cell)
  if (cell.min === cell.max) return numberText(cell.median)
  return `${numberText(cell.median)} (${numberText(cell.min)}–${numberText(cell.max)})`
}

function numberText(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en') : String(value)
}

function print({ area, tables, notes = [], missing = {}, busy, other_work }: Result): void {
  for (const { title, columns, rows } of tables) {
    console.log(`\n${area}: ${title}`)
    const texts = [columns, ...rows.map((row) => row.map(cellText))]
    const widths = columns.map((_, at) => Math.max(...texts.map((row) => (row[at] ?? '').length)))
    for (const row of texts) console.log(row.map((text, at) => text.padEnd(widths[at]!)).join('  '))
  }
  for (const note of notes) console.log(note)
  for (const [name, why] of Object.entries(missing)) console.log(`Not measured: ${name}: ${why}`)
  if (busy) console.log(`The machine had other work (${Math.round(other_work * 100)} %).`)
}

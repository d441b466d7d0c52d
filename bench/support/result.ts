/**
 * The result of an area: tables and plots with the machine, the versions and the load. It is
 * printed, and stored as JSON for the report.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Options } from './options.ts'
import { endDescendants, shareInUse } from './processor.ts'
import { rounded, type Spread } from './spread.ts'

export type Cell = string | number | Spread | null

export interface ResultTable {
  title: string
  /** Introduction for readers. */
  about?: string
  columns: readonly string[]
  rows: readonly (readonly Cell[])[]
}

export interface Plot {
  /** The name of its file. */
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

export interface AreaResult {
  tables: readonly ResultTable[]
  plots?: readonly Plot[]
  /** Sentences below the tables. */
  notes?: readonly string[]
  versions?: Readonly<Record<string, string>>
  /** What could not be measured, with the reason. */
  missing?: Readonly<Record<string, string>>
  /** The load generator. */
  generator: string
}

export interface Result extends AreaResult {
  area: string
  command: string
  measured_at: string
  rounds: number
  seconds: number
  machine: { cores: number; model: string; memory_gb: number; node: string }
  load_average: { before: number; after: number }
  /** The share of the processors that other work used directly before the run. */
  other_work: number
  /** Whether other work was too much: rates are not meaningful, and ratios only roughly. */
  busy: boolean
}

/** Maximum share of the processors on a quiet machine. */
export const QUIET_MAX = 0.15
const LOOK_MS = 3000
/** Placeholders for the values of --against and --label in the stored command. */
const NAMES = ['FOLDER', 'TEXT'] as const
const GB = 1024 ** 3

export const results_folder = join(import.meta.dirname, '..', 'results')

/** Starts an area. The returned function ends it, prints the result and stores it. */
export function begin(area: string, options: Options): (found: AreaResult) => void {
  process.on('exit', endDescendants)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
  const before = loadavg()[0] ?? 0
  const other_work = shareInUse(LOOK_MS)
  // The folder of another checkout is meaningless on another machine.
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

/** What every service under measurement is to the bench: requests for each task, and processes. */
import type { Requests } from '../support/load.ts'
import type { NewDatabase } from '../support/stage.ts'

export const tasks = ['get', 'list', 'create', 'batch'] as const
export type Task = (typeof tasks)[number]

export const DOCUMENTS = 10_000
export const PAGE = 20
const BATCH = 100
/** Documents in a batch of the mix. */
export const BATCH_OF_MIX = 10

export interface Target {
  name: string
  version: string
  /** What it does for a request, and what it is spared. */
  about: string
  /** Its process; those it started count as its own. */
  pid: number
  /** Null where it has no such thing. */
  requests(task: Task): Promise<Requests | null>
  stop(): Promise<void>
}

export interface Fixture {
  /** A database of its own in the cluster that all of them share. */
  newDatabase(name: string): Promise<NewDatabase>
  /** For files. */
  folder: string
}

export interface Sample {
  name: string
  n: number
  email: string
  text: string
}

/** The nth document: the same for every service. */
export function sample(n: number): Sample {
  const text = `The ${n}th note of a customer, as long as such notes are. `.repeat(4).slice(0, 200)
  return { name: `Customer ${n}`, n, email: `customer-${n}@example.com`, text }
}

/** How many requests of a task are made ready; when they are used up, they begin again. */
export const COUNTS: Readonly<Record<Task, number>> = {
  get: 12_000,
  list: 12_000,
  create: 32_000,
  batch: 2_000,
}

/** In an order that has nothing to do with the one they were written in. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items.map((_, at) => items[(at * 7919) % items.length]!)
}

/** The bounds of lists: each asks for the twenty documents below another one. */
export const bounds = shuffled(Array.from({ length: DOCUMENTS - PAGE }, (_, n) => n + PAGE))

/** Bodies of creates, each another document. */
export const singles = Array.from({ length: 4000 }, (_, n) => sample(n))

/** Bodies of batches. */
export const hundreds = Array.from({ length: 200 }, (_, n) =>
  Array.from({ length: BATCH }, (__, at) => sample(n * BATCH + at)),
)

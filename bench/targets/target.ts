/** The interface of a measured service: requests for each task, and its processes. */
import type { Requests } from '../support/load.ts'
import type { NewDatabase } from '../support/stage.ts'

export const tasks = ['get', 'list', 'create', 'batch'] as const
export type LoadTask = (typeof tasks)[number]

export const DOCUMENTS = 10_000
export const PAGE = 20
const BATCH = 100
/** Documents in a batch of the mix. */
export const BATCH_OF_MIX = 10

export interface Target {
  name: string
  version: string
  /** What the service does for a request, and what it omits. */
  about: string
  /** Its process; child processes count as its own. */
  pid: number
  /** Returns the requests of a task; null if the service does not support it. */
  requests(task: LoadTask): Promise<Requests | null>
  stop(): Promise<void>
}

export interface TargetFixture {
  /** Creates a database in the shared cluster. */
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

/** The nth document, the same for all services. */
export function sample(n: number): Sample {
  const text = `The ${n}th note of a customer, as long as such notes are. `.repeat(4).slice(0, 200)
  return { name: `Customer ${n}`, n, email: `customer-${n}@example.com`, text }
}

/** Number of prepared requests of a task, which are repeated. */
export const COUNTS: Readonly<Record<LoadTask, number>> = {
  get: 12_000,
  list: 12_000,
  create: 32_000,
  batch: 2_000,
}

/** A random order, independent of the order of insertion. */
export function shuffled<T>(items: readonly T[]): T[] {
  return items.map((_, at) => items[(at * 7919) % items.length]!)
}

/** Bounds of lists: each requests the twenty documents below another one. */
export const listBounds = shuffled(Array.from({ length: DOCUMENTS - PAGE }, (_, n) => n + PAGE))

/** Bodies of creates, each with another document. */
export const createBodies = Array.from({ length: 4000 }, (_, n) => sample(n))

/** Bodies of batches. */
export const batchBodies = Array.from({ length: 200 }, (_, n) =>
  Array.from({ length: BATCH }, (__, at) => sample(n * BATCH + at)),
)

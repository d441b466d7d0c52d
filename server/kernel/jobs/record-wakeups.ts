/**
 * Wake-ups for readers who follow the records of a project: which kinds of records changed. They are
 * gathered, and only so many are sent to other processes; readers poll slowly as well.
 */
import { afterCommit, type Transaction } from '../database/database.ts'
import type { Runtime } from '../runtime.ts'

const GATHER_MS = 250
/** Topics per gathering that other processes receive. */
const SENT_MAX = 200

type Waking = Pick<Runtime, 'wakeups'>

interface Gathering {
  topics: Set<string>
}

const gatherings = new WeakMap<Runtime['wakeups'], Gathering>()

function topicOf(project_id: string, kind: string): string {
  return `records ${project_id} ${kind}`
}

/** Announces that records of this kind changed. A kind is at most 25 ASCII characters. */
export function announceRecords({ wakeups }: Waking, project_id: string, kind: string): void {
  const known = gatherings.get(wakeups)
  if (known) {
    known.topics.add(topicOf(project_id, kind))
    return
  }
  const made: Gathering = { topics: new Set([topicOf(project_id, kind)]) }
  gatherings.set(wakeups, made)
  setTimeout(() => send(wakeups, made), GATHER_MS).unref()
}

/** Announces it after the commit. */
// oxlint-disable-next-line max-params -- in which transaction, and the arguments of announceRecords
export function announceRecordsAfter(
  tx: Transaction,
  runtime: Waking,
  project_id: string,
  kind: string,
): void {
  afterCommit(tx, () => announceRecords(runtime, project_id, kind))
}

function send(wakeups: Runtime['wakeups'], { topics }: Gathering): void {
  gatherings.delete(wakeups)
  let left = SENT_MAX
  for (const topic of topics) {
    if (left > 0) wakeups.announce(topic)
    else wakeups.wake(topic)
    left -= 1
  }
}

/** Calls `listener` with the kind of changed records until the returned function is called. */
export function listenToRecords<Kind extends string>(
  { wakeups }: Waking,
  { project_id, kinds }: { project_id: string; kinds: readonly Kind[] },
  listener: (kind: Kind) => void,
): () => void {
  const ends = kinds.map((kind) => wakeups.listen(topicOf(project_id, kind), () => listener(kind)))
  return () => {
    for (const end of ends) end()
  }
}

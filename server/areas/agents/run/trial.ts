/** Dry runs over past events: what the agent would have done. */
import type { Caller } from '../../../contract/caller.ts'
import { listPastEvents, unknownEvent } from './event.ts'
import { findAgent, startRun } from './runs.ts'
import type { Trial, TrialInput } from './schema.ts'

/** Throws not_found if an event starts the agent, but none has so far. */
export async function startTrial(
  caller: Caller,
  id: string,
  { events = 5 }: TrialInput,
): Promise<Trial> {
  const agent = await findAgent(caller, id)
  if (agent.event_type === null) return { data: [await startRun(caller, id, { dry_run: true })] }
  const ids = await listPastEvents(caller, agent, events)
  if (ids.length === 0) throw unknownEvent()
  const data: Trial['data'] = []
  for (const event_id of ids) data.push(await startRun(caller, id, { dry_run: true, event_id }))
  return { data }
}

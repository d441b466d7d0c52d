/** The rules of incidents and maintenance, which operators write. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { afterCommit, type Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  incidentStates,
  maintenanceStates,
  type Incident,
  type IncidentChange,
  type IncidentState,
  type NewIncident,
  type NewMaintenance,
  type NewUpdate,
} from '../incident-schema.ts'
import { decideProposal } from '../probes/proposals.ts'
import { mailUpdate } from '../subscribers/update-mails.ts'
import * as store from './incidents-store.ts'
import { presentIncident } from './present-incident.ts'
import { isOver, stateAt } from './state-at.ts'

/** Topic of wake-ups for processes that cache incidents. */
export const STATUS_TOPIC = 'status'

const YEAR_MS = 366 * 86_400_000

export async function reportIncident(runtime: Runtime, input: NewIncident): Promise<Incident> {
  const now = runtime.clock.now()
  const { title, impact, components, state, message, proposal_id } = input
  const started_at = input.started_at === undefined ? now : new Date(input.started_at)
  if (started_at > now) refuseField('/started_at', 'must not be in the future')
  if (started_at.getTime() < now.getTime() - YEAR_MS)
    refuseField('/started_at', 'must be within the last year')
  const row: store.IncidentRow = {
    id: newId(runtime.clock),
    kind: 'incident',
    title: title.trim(),
    impact,
    components: [...components],
    state,
    started_at,
    planned_until: null,
    ended_at: isOver(state) ? now : null,
  }
  return runtime.db.transact(async (tx) => {
    await insert(tx, runtime, { row, message })
    if (proposal_id !== undefined)
      await decideProposal(tx, runtime, {
        id: proposal_id,
        decision: 'published',
        incident_id: row.id,
      })
    return read(tx, runtime, row.id)
  })
}

export async function planMaintenance(runtime: Runtime, input: NewMaintenance): Promise<Incident> {
  const now = runtime.clock.now()
  const { title, components, message } = input
  const [started_at, planned_until] = [new Date(input.starts_at), new Date(input.ends_at)]
  checkWindow(started_at, planned_until, now)
  const row: store.IncidentRow = {
    id: newId(runtime.clock),
    kind: 'maintenance',
    title: title.trim(),
    impact: 'none',
    components: [...components],
    state: 'scheduled',
    started_at,
    planned_until,
    ended_at: null,
  }
  return runtime.db.transact(async (tx) => {
    await insert(tx, runtime, { row, message })
    return read(tx, runtime, row.id)
  })
}

interface NewRow {
  row: store.IncidentRow
  message: string
}

async function insert(tx: Transaction, runtime: Runtime, { row, message }: NewRow): Promise<void> {
  if ((await store.countOpen(tx)) >= limits.open_incidents_max) {
    const count = limits.open_incidents_max
    throw new Problem('conflict', `There are already ${count} open incidents. Resolve some first.`)
  }
  await store.insertIncident(tx, row)
  await post(tx, runtime, { incident_id: row.id, state: row.state, message })
}

/** Posts an update: it is shown on the page and in the feed, and mailed to subscribers. */
export async function post(
  tx: Transaction,
  runtime: Runtime,
  update: Pick<store.UpdateRow, 'incident_id' | 'state' | 'message'>,
): Promise<void> {
  const id = newId(runtime.clock)
  const { incident_id, state, message } = update
  const posted_at = runtime.clock.now()
  await store.insertUpdate(tx, {
    incident_id,
    id,
    state,
    message: message === null ? null : cleanText(message),
    posted_at,
  })
  const payload = { incident_id, update_id: id, after: null }
  await enqueue(tx, runtime, mailUpdate, { payload, project_id: null })
  announce(tx, runtime)
}

/** Without control characters except line breaks and tabs, which a feed could not contain. */
function cleanText(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '').trim()
}

function announce(tx: Transaction, runtime: Runtime): void {
  afterCommit(tx, () => runtime.wakeups.announce(STATUS_TOPIC))
}

export async function updateIncident(
  runtime: Runtime,
  id: string,
  input: NewUpdate,
): Promise<Incident> {
  const now = runtime.clock.now()
  const { state, message, impact, components, proposal_id } = input
  return runtime.db.transact(async (tx) => {
    const row = await lock(tx, id)
    checkStep(row, { to: state, now })
    if (row.kind === 'maintenance' && impact !== undefined && impact !== 'none')
      refuseField('/impact', 'must be none for maintenance')
    if ((await store.countUpdates(tx, id)) >= limits.incident_updates_max) {
      const count = limits.incident_updates_max
      throw new Problem('conflict', `It already has ${count} updates. Report a new incident.`)
    }
    await store.changeIncident(tx, id, {
      state,
      ...(impact !== undefined && { impact }),
      ...(components !== undefined && { components: [...components] }),
      ...(state === 'in_progress' && row.started_at > now && { started_at: now }),
      ended_at: isOver(state) ? now : null,
    })
    await post(tx, runtime, { incident_id: id, state, message })
    if (proposal_id !== undefined)
      await decideProposal(tx, runtime, {
        id: proposal_id,
        decision: 'published',
        incident_id: id,
      })
    return read(tx, runtime, id)
  })
}

/**
 * A resolved incident takes a further update, also one that opens it again. Maintenance only goes
 * forward, and nothing follows its completion.
 */
function checkStep(row: store.IncidentRow, { to, now }: { to: IncidentState; now: Date }): void {
  const allowed: readonly IncidentState[] =
    row.kind === 'incident' ? incidentStates : maintenanceStates
  if (!allowed.includes(to)) refuseField('/state', `must be one of ${allowed.join(', ')}`)
  if (row.kind === 'incident') return
  const from = stateAt(row, now)
  if (from === 'completed')
    throw new Problem('conflict', 'The maintenance is completed. Report an incident instead.')
  if (allowed.indexOf(to) < allowed.indexOf(from))
    throw new Problem('conflict', `The maintenance is ${from} already, so it cannot be ${to}.`)
}

/** Changes what was written, without an update and without mail. */
export async function changeIncident(
  runtime: Runtime,
  id: string,
  input: IncidentChange,
): Promise<Incident> {
  const { title, impact, components, starts_at, ends_at } = input
  const now = runtime.clock.now()
  return runtime.db.transact(async (tx) => {
    const row = await lock(tx, id)
    if (row.kind === 'incident' && (starts_at ?? ends_at) !== undefined)
      refuseField(starts_at === undefined ? '/ends_at' : '/starts_at', 'is for maintenance only')
    if (row.kind === 'maintenance' && impact !== undefined && impact !== 'none')
      refuseField('/impact', 'must be none for maintenance')
    await store.changeIncident(tx, id, {
      ...(title !== undefined && { title: title.trim() }),
      ...(impact !== undefined && { impact }),
      ...(components !== undefined && { components: [...components] }),
      ...windowIn(row, { starts_at, ends_at, now }),
    })
    announce(tx, runtime)
    return read(tx, runtime, id)
  })
}

interface WindowChange {
  starts_at: string | undefined
  ends_at: string | undefined
  now: Date
}

function windowIn(
  row: store.IncidentRow,
  { starts_at, ends_at, now }: WindowChange,
): Pick<store.IncidentValues, 'started_at' | 'planned_until'> {
  if (row.planned_until === null || (starts_at ?? ends_at) === undefined) return {}
  const state = stateAt(row, now)
  if (state === 'completed') throw new Problem('conflict', 'The maintenance is completed.')
  if (starts_at !== undefined && state === 'in_progress')
    throw new Problem('conflict', 'The maintenance is in progress, so it has begun.')
  const started_at = starts_at === undefined ? row.started_at : new Date(starts_at)
  const planned_until = ends_at === undefined ? row.planned_until : new Date(ends_at)
  checkWindow(started_at, planned_until, state === 'in_progress' ? null : now)
  if (planned_until <= now) refuseField('/ends_at', 'must be in the future')
  return { started_at, planned_until }
}

/** Removes an incident that was published by mistake, with its updates. */
export async function deleteIncident(runtime: Runtime, id: string): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const deleted = await store.deleteIncident(tx, id)
    if (!deleted) throw noIncident()
    announce(tx, runtime)
    return deleted
  })
}

/** `now` is null if the start may be in the past. */
function checkWindow(starts: Date, ends: Date, now: Date | null): void {
  if (now !== null && starts < now) refuseField('/starts_at', 'must not be in the past')
  if (ends <= starts) refuseField('/ends_at', 'must be after starts_at')
  if (ends.getTime() - starts.getTime() > YEAR_MS)
    refuseField('/ends_at', 'must be within a year of starts_at')
}

async function lock(tx: Transaction, id: string): Promise<store.IncidentRow> {
  const row = await store.lockIncident(tx, id)
  if (!row) throw noIncident()
  return row
}

async function read(tx: Transaction, runtime: Runtime, id: string): Promise<Incident> {
  const incident = await store.findIncident(tx, id)
  if (!incident) throw noIncident()
  return presentIncident(incident, runtime.clock.now())
}

function refuseField(path: string, message: string): never {
  const detail = `${path}: ${message}.`
  throw new Problem('validation_failed', detail, { errors: [{ path, message }] })
}

function noIncident(): Problem {
  return new Problem('not_found', 'There is no incident with this id.')
}

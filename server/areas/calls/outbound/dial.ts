/**
 * Dials an outbound call, at most once: a request without a reply is not repeated, because the
 * phone may be ringing. A simulated call is conducted at once; the last digits of the number choose
 * how it ends.
 */
import { Type } from 'typebox'
import { Problem } from '../../../contract/errors.ts'
import { job, type JobRun } from '../../../kernel/jobs/jobs.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { CarrierError, carrierOf } from '../../../providers/carrier/carrier.ts'
import { openScriptedLine } from '../../../providers/carrier/scripted-line.ts'
import type { CallOutcome } from '../../call-plans/service.ts'
import * as numbers from '../../numbers/service.ts'
import * as projects from '../../projects/service.ts'
import { conductCall } from '../conversation/conduct.ts'
import { addressesOf } from '../live/addresses.ts'
import { lockRunning, ofDirection } from '../live/engine.ts'
import { finish } from '../live/finish.ts'
import { changeLive, findLive, handOver, type LiveRow } from '../live/live-store.ts'
import type { Turn } from '../schema.ts'
import { findHoursFault } from './calling-hours.ts'
import { hasConsent } from './consent-store.ts'
import * as store from '../store.ts'

const RING_SECONDS = 40

/** What the person says in a simulated call without turns. */
const politePerson: readonly Turn[] = [{ say: 'Hello?' }, { say: 'All right, thank you. Goodbye.' }]

const simulatedOutcomes: Readonly<Record<string, CallOutcome>> = {
  '001': { status: 'no_answer', hangup_cause: 'no_answer', hangup_by: 'system' },
  '002': { status: 'busy', hangup_cause: 'user_busy', hangup_by: 'callee' },
  '003': { status: 'failed', hangup_cause: 'not_found', hangup_by: 'system' },
  '004': { status: 'voicemail', hangup_cause: 'normal_clearing', hangup_by: 'system' },
}

const notDialled: CallOutcome = {
  status: 'failed',
  hangup_cause: 'unspecified',
  hangup_by: 'system',
}

type Work = JobRun<{ project_id: string; call_id: string }>

export const dialCall = job({
  name: 'calls.dial',
  payload: Type.Object({ project_id: Type.String(), call_id: Type.String() }),
  retry_after_s: [5, 20, 60],
  async run(work: Work): Promise<void> {
    const { runtime, payload } = work
    const key = { project_id: payload.project_id, id: payload.call_id }
    const live = await findLive(runtime.db, key)
    const call = live && (await store.find(runtime.db, key.project_id, key.id))
    if (!live || !call) return work.finish()
    if (call.test) return simulate(work, { live, call })
    if (live.handed_over_at !== null) return work.finish()
    if (!(await mayCall(runtime, { live, call }))) return end(work, key, notDialled)
    if (!(await handOver(runtime.db, key, runtime.clock.now()))) return work.finish()
    return dial(work, { live, call })
  },
})

/** Since it was placed, much may have changed; the job may also come late. */
async function mayCall(runtime: Runtime, { live, call }: Queued): Promise<boolean> {
  const { project_id, to_number } = call
  const now = runtime.clock.now()
  const marketing = call.purpose === 'marketing'
  if (now >= live.ends_by || findHoursFault(to_number, { now, marketing }) !== null) return false
  const asked = { project_id, test: false, phone: to_number }
  if (marketing && !(await hasConsent(runtime.db, asked))) return false
  const project = await projects.find(runtime.db, project_id)
  return project?.enabled === true && project.rails.outbound === 'live'
}

interface Queued {
  live: LiveRow
  call: store.CallRow
}

async function dial(work: Work, { live, call }: Queued): Promise<void> {
  const { runtime } = work
  const carrier = carrierOf(runtime)
  if (!carrier) return end(work, call, notDialled)
  const seconds_max = Math.round((live.ends_by.getTime() - call.created_at.getTime()) / 1000)
  try {
    const carrier_id = await carrier.calls.dial({
      ...addressesOf(runtime, call),
      from: call.from_number,
      to: call.to_number,
      ring_seconds: RING_SECONDS,
      seconds_max,
    })
    let is_over = false
    await work.finish(async (tx) => {
      const running = await lockRunning(tx, call)
      is_over = running === null
      if (running?.live.carrier_id === null) await changeLive(tx, running.live, { carrier_id })
    })
    // Somebody hung up meanwhile.
    if (is_over) {
      const hang_up = { do: 'hang_up', signal: 'normal' } as const
      await carrier.calls.instruct(carrier_id, hang_up, addressesOf(runtime, call))
    }
    announceRecords(runtime, call.project_id, 'calls')
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    runtime.log.warn({ err: error, call_id: call.id }, 'the carrier did not take a call')
    // A request without a reply may have started the call, whose callbacks then name it.
    if (error.fault === 'unknown') return work.finish()
    return end(work, call, notDialled)
  }
}

function end(work: Work, key: store.CallKey, outcome: CallOutcome): Promise<void> {
  return work.finish(async (tx) => {
    const running = await lockRunning(tx, key)
    if (running) await finish(tx, work.runtime, { ...running, outcome })
  })
}

async function simulate(work: Work, { live, call }: Queued): Promise<void> {
  const { runtime } = work
  const decided = simulatedOutcomes[call.to_number.slice(-3)]
  if (decided) return end(work, call, decided)
  const { project_id } = call
  const number = await numbers.find(runtime.db, project_id, call.number_id)
  if (!number) return end(work, call, notDialled)
  const facts = {
    id: call.id,
    project_id,
    direction: 'outbound' as const,
    from: call.from_number,
    to: call.to_number,
    language: null,
    plan: live.state.plan,
    target_rules: { number, own_numbers: await numbers.listE164(runtime.db, project_id) },
    spender: { project_id, area: 'voice' as const, reference_id: call.id, test: true },
  }
  const line = openScriptedLine(live.script ?? politePerson)
  const conducted = await conductCall(runtime, facts, line).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  // No reply can be paid for: the free ones of the day are used up.
  if (conducted === null) return end(work, call, notDialled)
  // The call took no real time: it ends now, and began its duration earlier.
  const began_ms = runtime.clock.now_ms() - conducted.duration_ms
  const time = (at_ms: number) => new Date(began_ms + at_ms)
  const transcript = conducted.lines.map(({ role, text, at_ms, node_id, sources = [] }) => {
    return { role, text, at: time(at_ms).toISOString(), node_id, sources }
  })
  await work.finish(async (tx) => {
    const running = await lockRunning(tx, call)
    if (!running) return
    const changes = {
      started_at: time(0),
      answered_at: conducted.answered_ms === null ? null : time(conducted.answered_ms),
      language: conducted.language,
    }
    await store.change(tx, call, { ...changes, transcript: JSON.stringify(transcript) })
    Object.assign(running.call, changes)
    running.live.state = { ...running.live.state, path: conducted.path }
    running.live.messages = conducted.messages.map(({ text, kind, mailed, at_ms }) => {
      return { text, kind, mailed, at: time(at_ms).toISOString() }
    })
    await finish(tx, runtime, { ...running, outcome: ofDirection(call, conducted.outcome) })
  })
}

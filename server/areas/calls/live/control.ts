/** What people do with a running call: hang up, or put it through to a phone. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as numbers from '../../numbers/service.ts'
import { present } from '../present.ts'
import type { Call } from '../schema.ts'
import * as store from '../store.ts'
import { react, tell } from './callbacks.ts'
import { addLine, end, lockRunning, step, type Told } from './engine.ts'
import type { RunningCall } from './finish.ts'

export async function hangUp(caller: Caller, id: string): Promise<Call> {
  return control(caller, id, (tx, running) => {
    const { call, live } = running
    const was_answered = call.answered_at !== null
    const talked = live.bridged_at === null ? 'ai_handled' : 'forwarded'
    const outcome = {
      status: was_answered ? talked : 'canceled',
      hangup_cause: was_answered ? 'normal_clearing' : 'originator_cancel',
      hangup_by: 'system',
    } as const
    return end(tx, caller.runtime, { ...running, outcome })
  })
}

/** The assistant stops, and the person hears the phone ring. If nobody answers, it goes on. */
export async function transfer(caller: Caller, id: string, to: string): Promise<Call> {
  const { db, runtime, project } = caller
  const call = await store.find(db, project.id, id)
  const number = call && (await numbers.find(db, project.id, call.number_id))
  if (!call || !number) throw unknownCall()
  const own_numbers = await numbers.listE164(db, project.id)
  const refusal = callPlans.describeTargetRefusal(to, { number, own_numbers })
  if (refusal !== null) throw new Problem('forward_target_not_allowed', `${to} ${refusal}.`)
  return control(caller, id, async (tx, running) => {
    if (running.live.state.phase.name !== 'assistant') {
      throw new Problem(
        'conflict',
        'The assistant is not talking in this call, so nobody takes over.',
      )
    }
    await addLine(tx, runtime, { call: running.call, text: `Put through to ${to}.` })
    const event = {
      type: 'assistant_ended',
      reason: 'transfer',
      e164: to,
      by_person: true,
    } as const
    return step(tx, runtime, { ...running, event })
  })
}

type Act = (tx: Transaction, running: RunningCall) => Promise<Told>

async function control(caller: Caller, id: string, act: Act): Promise<Call> {
  const { db, runtime, project } = caller
  const key = { project_id: project.id, id }
  const { row, reaction } = await db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running) throw (await store.find(tx, project.id, id)) ? notRunning() : unknownCall()
    if (running.call.test) throw notRunning()
    const told = await act(tx, running)
    const { carrier_id } = running.live
    const after = await store.lock(tx, key)
    if (!after) throw unknownCall()
    return { row: after, reaction: carrier_id && react(runtime, { carrier_id, key, ...told }) }
  })
  if (reaction) await tell(runtime, reaction)
  return present(row)
}

function notRunning(): Problem {
  return new Problem('conflict', 'This call has ended.')
}

function unknownCall(): Problem {
  return new Problem('not_found', 'This project has no call with this id.')
}

/**
 * The messages of a carrier about calls, and what it is told: as the reply to its callback, or by
 * requests of our own after the state is stored.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import type {
  CallAddresses,
  CallCallback,
  Instruction,
} from '../../../providers/carrier/calls/call-contract.ts'
import { CarrierError, carrierOf, readsReplies } from '../../../providers/carrier/carrier.ts'
import type * as store from '../store.ts'
import { addressesOf } from './addresses.ts'
import { beginIncoming } from './begin.ts'
import { apply, end, hangUp, lockRunning, lost, noteLegs, wait, type Told } from './engine.ts'
import { findByCarrierId } from './live-store.ts'
import { sendTexts } from './texts.ts'

/** What the carrier is told after a message. */
export interface Reaction {
  carrier_id: string
  key: store.CallKey | null
  instruction: Instruction
  addresses: CallAddresses
  /** Legs that ring in vain, because another one answered. */
  legs_to_end: readonly string[]
}

/** Applies a message of the carrier, and returns what it is told. */
export async function takeCallback(runtime: Runtime, callback: CallCallback): Promise<Reaction> {
  const { carrier_id, about, event } = callback
  const known = about ?? (await findByCarrierId(runtime.db, carrier_id))
  if (known === null && event.kind === 'incoming') {
    const begun = await beginIncoming(runtime, { carrier_id, from: event.from, to: event.to })
    return afterTexts(runtime, react(runtime, { carrier_id, ...begun }))
  }
  if (known === null) return react(runtime, { carrier_id, key: null, instruction: hangUp })
  const reaction = await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, known)
    if (!running) {
      const instruction = event.kind === 'ended' ? wait : hangUp
      return react(runtime, { carrier_id, key: known, instruction })
    }
    const told = await apply(tx, runtime, {
      ...running,
      event,
      carrier_id,
      asks: readsReplies(runtime),
    })
    const main_id = running.live.carrier_id ?? carrier_id
    return react(runtime, { carrier_id: main_id, key: known, ...told })
  })
  return afterTexts(runtime, reaction)
}

/** Sends the text messages that come before an answer, and returns what follows them. */
async function afterTexts(runtime: Runtime, reaction: Reaction): Promise<Reaction> {
  const { key, instruction, carrier_id } = reaction
  if (key === null || instruction.do !== 'converse' || instruction.answered) return reaction
  const told = await sendTexts(runtime, key)
  return told === null ? reaction : react(runtime, { carrier_id, key, ...told })
}

export function react(
  runtime: Runtime,
  { legs_to_end = [], ...told }: Told & { carrier_id: string; key: store.CallKey | null },
): Reaction {
  const key = told.key ?? { project_id: '', id: '' }
  return { ...told, legs_to_end, addresses: addressesOf(runtime, key) }
}

/** Tells the carrier by requests. A call that it cannot be told about has ended. */
export async function tell(runtime: Runtime, reaction: Reaction): Promise<void> {
  const carrier = carrierOf(runtime)
  const { carrier_id, key, instruction, addresses, legs_to_end } = reaction
  if (!carrier) return
  for (const leg_id of legs_to_end) await quietly(carrier.calls.instruct(leg_id, hangUp, addresses))
  try {
    const legs = await carrier.calls.instruct(carrier_id, instruction, addresses)
    if (key === null || instruction.do !== 'ring' || legs.length === 0) return
    const vain = await noteLegs(runtime, key, { step: instruction.step, legs })
    for (const leg_id of vain) await quietly(carrier.calls.instruct(leg_id, hangUp, addresses))
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    runtime.log.warn({ err: error, call_id: key?.id }, 'the carrier could not be told what to do')
    if (key) await giveUp(runtime, key)
    await quietly(carrier.calls.instruct(carrier_id, hangUp, addresses))
  }
}

/** A leg that cannot be hung up has ended, or ends with its call. */
async function quietly(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof CarrierError)) throw error
  })
}

async function giveUp(runtime: Runtime, key: store.CallKey): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (running) await end(tx, runtime, { ...running, ...lost(running) })
  })
}

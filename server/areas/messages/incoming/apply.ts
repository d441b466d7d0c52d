/** Applies the callbacks of the carrier. Repeated, late and foreign ones change nothing. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type {
  MessageCallback,
  MessageReport,
  ReceivedMessage,
} from '../../../providers/carrier/carrier.ts'
import * as numbers from '../../numbers/service.ts'
import { advance } from '../sending/settle.ts'
import * as store from '../store.ts'
import { receive } from './receive.ts'

/** `about` is the message that the URL of the callback names. */
export interface CallbackFrom {
  about: store.MessageKey | null
  callback: MessageCallback
}

export async function applyCallback(
  runtime: Runtime,
  { about, callback }: CallbackFrom,
): Promise<void> {
  if (callback.kind === 'received') await takeIn(runtime, callback)
  else if (about) await report(runtime, about, callback)
}

/** A report about another message than the URL names is ignored. */
async function report(
  runtime: Runtime,
  about: store.MessageKey,
  { carrier_id, to, state }: MessageReport,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const row = await store.lockMessage(tx, about)
    if (!row || row.test || row.to_number !== to) return
    if (row.carrier_id !== null && row.carrier_id !== carrier_id) return
    await advance(tx, runtime, { row, to: { ...state, carrier_id } })
  })
}

async function takeIn(
  runtime: Runtime,
  { carrier_id, from, to, text }: ReceivedMessage,
): Promise<void> {
  const project_id = await numbers.findOwner(runtime.db, to)
  if (project_id === null) return
  const arrival = { project_id, from, to, text, carrier_id, test: false }
  await runtime.db.transact((tx) => receive(tx, runtime, arrival))
}

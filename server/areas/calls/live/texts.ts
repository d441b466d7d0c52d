/**
 * Sends the text messages of a plan before a call is answered: they need no carrier's line, and a
 * call that nobody answers stays unanswered. The step is stored before the message is queued, so a
 * repeated callback sends none twice.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import * as numbers from '../../numbers/service.ts'
import { sendText } from '../conversation/plan-commands.ts'
import * as store from '../store.ts'
import { addLine, lockRunning, step, type Told } from './engine.ts'

/** Returns what the carrier is told after the messages; null if there are none to send. */
export async function sendTexts(runtime: Runtime, key: store.CallKey): Promise<Told | null> {
  let last: Told | null = null
  for (;;) {
    const next = await runtime.db.transact(async (tx) => {
      const running = await lockRunning(tx, key)
      const [command] = running?.live.commands ?? []
      if (!running || command?.type !== 'send_sms') return null
      const texted = { type: 'texted', step: command.step } as const
      return { command, told: await step(tx, runtime, { ...running, event: texted }) }
    })
    if (next === null) return last
    last = next.told
    await send(runtime, key, next.command)
  }
}

async function send(
  runtime: Runtime,
  key: store.CallKey,
  command: Parameters<typeof sendText>[1],
): Promise<void> {
  const call = await store.find(runtime.db, key.project_id, key.id)
  const number = call && (await numbers.find(runtime.db, key.project_id, call.number_id))
  if (!call || !number) return
  const notes: string[] = []
  const stage = {
    runtime,
    number,
    project_id: key.project_id,
    note: (text: string) => void notes.push(text),
  }
  await sendText(stage, command)
  await runtime.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) return
    for (const text of notes) await addLine(tx, runtime, { call: row, text })
  })
}

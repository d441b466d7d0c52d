/**
 * Leaves out the targets of a ring command that must not be rung: the project may have got a number
 * since its plan was saved, and a call that it forwarded may come back. Without any target left, the
 * ringing has failed.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import * as assistant from '../../assistant/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as numbers from '../../numbers/service.ts'
import { sortTargets, type PlannedCall } from '../conversation/plan-commands.ts'
import type { CallRow } from '../store.ts'

interface Guarded {
  next: callPlans.PlanStep
  /** Lines for the transcript. */
  notes: string[]
}

export function guardRinging(call: PlannedCall, step: callPlans.PlanStep): Guarded {
  const notes: string[] = []
  let next = step
  for (;;) {
    const [command] = next.commands
    if (command?.type !== 'ring') return { next, notes }
    const sorted = sortTargets(call, command.targets)
    notes.push(...sorted.notes)
    if (sorted.usable.length > 0) {
      return { next: { ...next, commands: [{ ...command, targets: sorted.usable }] }, notes }
    }
    const failed = { type: 'ring_ended', outcome: 'failed', step: command.step } as const
    next = callPlans.interpret(next.state, failed, { isOpen: assistant.isOpen })
  }
}

/** The facts for the guard, which are read only when a phone would ring. */
export async function guardStoredRinging(
  tx: Transaction,
  call: CallRow,
  next: callPlans.PlanStep,
): Promise<Guarded> {
  if (next.commands[0]?.type !== 'ring') return { next, notes: [] }
  const { project_id, number_id, from_number: from, to_number: to } = call
  const number = await numbers.find(tx, project_id, number_id)
  if (!number) throw new Error(`The number of the call ${call.id} is missing.`)
  const target_rules = { number, own_numbers: await numbers.listE164(tx, project_id) }
  return guardRinging({ project_id, from, to, target_rules }, next)
}

/** Checks a message before it is accepted: its text, its recipient and its sender. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import * as numbers from '../../numbers/service.ts'
import { findDestinationFault } from '../rules/destination.ts'
import { findNameFault } from '../rules/sender.ts'
import type { MessageInput } from '../schema.ts'
import { foldText } from '../text/fold.ts'
import { segmentText, type Segmented } from '../text/segments.ts'

export interface Draft extends Segmented {
  from: string
  to: string
  text: string
  test: boolean
}

/** What the rules need of the sender of a message. */
export type Sender = Pick<Caller, 'runtime' | 'db' | 'project'>

export async function readDraft(
  caller: Sender,
  input: MessageInput,
  { test }: { test: boolean },
): Promise<Draft> {
  const text = foldText(input.text)
  if (text.trim() === '') {
    const message = 'must not be blank'
    throw new Problem('validation_failed', `/text ${message}.`, {
      errors: [{ path: '/text', message }],
    })
  }
  const segmented = segmentText(text)
  if (segmented.segments > limits.sms_segments_max) {
    const detail =
      `The text takes ${segmented.segments} SMS segments; at most ` +
      `${limits.sms_segments_max} are sent.`
    throw new Problem('message_too_long', detail)
  }
  const countries = caller.runtime.config.carrier.sms_countries
  const fault = findDestinationFault(input.to, { countries, test })
  if (fault !== null) throw new Problem('destination_not_allowed', `${input.to} ${fault}.`)
  return { ...segmented, from: await findSender(caller, input, test), to: input.to, text, test }
}

/** Numbers of test mode send simulated messages only. */
async function findSender(caller: Sender, { from }: MessageInput, test: boolean): Promise<string> {
  if (from !== undefined && !from.startsWith('+')) {
    const fault = findNameFault(from)
    if (fault === null) return from
    throw new Problem('sender_not_allowed', `The sender name ${JSON.stringify(from)} ${fault}.`)
  }
  const active = await numbers.listActive(caller.db, caller.project.id)
  const usable = active.filter((number) => test || !number.test).map(({ e164 }) => e164)
  if (from === undefined) {
    const [oldest] = usable
    if (oldest !== undefined) return oldest
    const detail = 'The project has no active number to send from. Order one, or name a sender.'
    const next_step =
      'Order a number with POST /numbers, or set from to a name of 3 to 11 letters and digits, to which ' +
      'nobody can reply. Without SMS, an agent (POST /agents) can mail the owner with notify.owner, and ' +
      'POST /emails mails customers once the owner has set email up.'
    throw new Problem('sender_not_allowed', detail, { next_step })
  }
  if (usable.includes(from)) return from
  throw new Problem('sender_not_allowed', `${from} is no active number of this project.`)
}

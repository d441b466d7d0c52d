/** How lists and details show the status and the person of a message. */
import type { Tone } from '../../ui/display/badge.tsx'
import type { Message } from './queries.ts'

export const tones: Readonly<Record<Message['status'], Tone>> = {
  queued: 'neutral',
  sent: 'accent',
  delivered: 'good',
  failed: 'bad',
  received: 'neutral',
}

/** The person of a message, whichever side sent it. */
export function personOf({ direction, from, to }: Message): string {
  return direction === 'inbound' ? from : to
}

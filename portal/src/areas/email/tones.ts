/** The colours of the states of emails and recipients. */
import type { Tone } from '../../ui/display/badge.tsx'
import type { ListedEmail } from './queries.ts'

export const tones: Readonly<Record<ListedEmail['status'], Tone>> = {
  scheduled: 'info',
  queued: 'neutral',
  sent: 'info',
  delivered: 'good',
  partially_delivered: 'warn',
  delayed: 'warn',
  bounced: 'bad',
  complained: 'bad',
  suppressed: 'neutral',
  canceled: 'neutral',
}

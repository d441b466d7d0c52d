/** The colours of the states of orders. */
import type { Tone } from '../../ui/display/badge.tsx'
import type { OrderStatus } from './queries.ts'

export const tones: Readonly<Record<OrderStatus, Tone>> = {
  open: 'neutral',
  pending: 'info',
  paid: 'good',
  failed: 'bad',
  expired: 'neutral',
  canceled: 'neutral',
  partially_refunded: 'warn',
  refunded: 'warn',
  charged_back: 'bad',
}

export const statuses = Object.keys(tones).filter((name): name is OrderStatus => name in tones)

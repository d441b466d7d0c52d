/** A label of one or two words for a state. */
import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info' | 'accent'

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  accent: 'bg-accent-soft text-accent',
}

export interface BadgeProps {
  tone?: Tone
  /** Shows a dot before the text, for states that change by themselves. */
  dot?: boolean
  children: ReactNode
}

export function Badge({ tone = 'neutral', dot = false, children }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex h-5.5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {dot && <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />}
      {children}
    </span>
  )
}

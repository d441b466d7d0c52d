/** A conversation as speech bubbles: one party on the right, the other on the left. */
import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

export interface Utterance {
  key: string
  side: 'left' | 'right' | 'note'
  /** Name of the speaker. */
  speaker: string
  text: string
  /** Content below the bubble. */
  below?: ReactNode
}

export function Conversation({ utterances }: { utterances: readonly Utterance[] }) {
  return (
    <ol className="flex flex-col gap-3">
      {utterances.map(({ key, side, speaker, text, below }) => (
        <li
          key={key}
          className={cx('flex max-w-[85%] flex-col', side === 'right' ? 'self-end' : 'self-start')}
        >
          <p className={cx('mb-0.5 text-xs text-faint', side === 'right' && 'text-right')}>
            {speaker}
          </p>
          <p
            className={cx(
              'w-fit rounded-2xl px-3.5 py-2',
              side === 'right' && 'self-end rounded-br-md bg-accent text-on-accent',
              side === 'left' && 'rounded-bl-md bg-hover',
              side === 'note' && 'border border-line text-sm text-muted',
            )}
          >
            {text}
          </p>
          {below}
        </li>
      ))}
    </ol>
  )
}

/** A bordered panel with an optional heading. */
import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'

export interface CardProps {
  title?: ReactNode
  about?: ReactNode
  /** Content at the right of the heading. */
  aside?: ReactNode
  children?: ReactNode
  /** Removes the padding, for a table or list that reaches the edges. */
  flush?: boolean
  className?: string
}

export function Card({ title, about, aside, children, flush = false, className }: CardProps) {
  return (
    <section
      className={cx('min-w-0 rounded-xl border border-line bg-surface shadow-card', className)}
    >
      {title !== undefined && (
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 pt-4">
          <div className="min-w-36 flex-1">
            <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
            {about !== undefined && <p className="text-sm text-muted">{about}</p>}
          </div>
          {aside}
        </header>
      )}
      <div className={flush ? 'pt-3' : cx('px-5 pb-5', title === undefined ? 'pt-5' : 'pt-4')}>
        {children}
      </div>
    </section>
  )
}

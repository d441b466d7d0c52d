/** The card of a log that follows new rows by itself until it is paused. */
import { Pause, Play, Radio } from 'lucide-react'
import type { ReactNode } from 'react'
import { defineTexts } from '../language/texts.ts'
import { Button } from '../ui/actions/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Card } from '../ui/display/card.tsx'

const useLogCardTexts = defineTexts('log-card', {
  en: { tail: 'Updates by itself', paused: 'Paused', pause: 'Pause', resume: 'Resume' },
  nl: { tail: 'Vernieuwt vanzelf', paused: 'Gepauzeerd', pause: 'Pauzeren', resume: 'Hervatten' },
})

export interface LogCardProps {
  tail: boolean
  setTail(tail: boolean): void
  children: ReactNode
}

export function LogCard({ tail, setTail, children }: LogCardProps) {
  const t = useLogCardTexts()
  const Icon = tail ? Pause : Play
  return (
    <Card
      flush
      title={
        <span className="flex items-center gap-1.5 text-sm font-normal text-muted">
          <Radio className={cx('size-4', tail && 'text-info')} aria-hidden="true" />
          {t(tail ? 'tail' : 'paused')}
        </span>
      }
      aside={
        <Button size="sm" onClick={() => setTail(!tail)}>
          <Icon aria-hidden="true" />
          {t(tail ? 'pause' : 'resume')}
        </Button>
      }
    >
      {children}
    </Card>
  )
}

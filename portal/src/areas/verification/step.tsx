/** One requirement of a level, with its state and what to do. */
import { CircleCheck, Circle, CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useVerificationTexts } from './texts.ts'

export interface StepProps {
  title: string
  about: ReactNode
  state: 'done' | 'to_do' | 'again'
  children?: ReactNode
}

const icons = {
  done: <CircleCheck className="size-5 text-good" aria-hidden="true" />,
  to_do: <Circle className="size-5 text-faint" aria-hidden="true" />,
  again: <CircleAlert className="size-5 text-bad" aria-hidden="true" />,
} as const

export function Step({ title, about, state, children }: StepProps) {
  const t = useVerificationTexts()
  return (
    <li className="flex items-start gap-3 border-t border-line px-5 py-4">
      <span className="mt-0.5 shrink-0">{icons[state]}</span>
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">
          {title}
          <span className="sr-only">: {t(state)}</span>
        </h3>
        <p className="text-sm break-words text-muted">{about}</p>
        {children !== undefined && children !== false && <div className="mt-3">{children}</div>}
      </div>
    </li>
  )
}

/** A list without entries: what belongs here, the one thing to do next, and that as a sentence. */
import type { ReactNode } from 'react'
import { CopyButton } from '../actions/copy-button.tsx'
import { useUiTexts } from '../texts.ts'

export interface EmptyStateProps {
  icon: ReactNode
  title: string
  about: ReactNode
  action?: ReactNode
  /** The same as a request to an assistant. */
  sentence?: string
}

export function EmptyState({ icon, title, about, action, sentence }: EmptyStateProps) {
  const t = useUiTexts()
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-xl border border-line bg-bg text-accent shadow-card [&_svg]:size-5">
        {icon}
      </span>
      <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
      <p className="mt-1 max-w-md text-muted">{about}</p>
      {action !== undefined && <div className="mt-5">{action}</div>}
      {sentence !== undefined && (
        <div className="mt-6 w-full max-w-md text-left">
          <p className="mb-1.5 text-xs font-medium text-faint">{t('for_assistant')}</p>
          <div className="flex items-center gap-2 rounded-lg border border-line bg-bg py-1 pr-1 pl-3">
            <p className="min-w-0 flex-1 text-sm">“{sentence}”</p>
            <CopyButton text={sentence} />
          </div>
        </div>
      )}
    </div>
  )
}

/** The heading of a page, which is also the title of the window if it is text, with an introductory sentence and the main actions. */
import type { ReactNode } from 'react'

export interface PageHeaderProps {
  title: ReactNode
  about?: ReactNode
  actions?: ReactNode
}

export function PageHeader({ title, about, actions }: PageHeaderProps) {
  return (
    <header className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-4">
      {typeof title === 'string' && <title>{title}</title>}
      <div className="min-w-60 flex-1">
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {about !== undefined && <p className="mt-1 max-w-2xl text-muted">{about}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
    </header>
  )
}

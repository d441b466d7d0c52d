/** The common parts of the cards of forms and proposals. */
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import type { Proposal } from '../queries.ts'
import { useAssistantTexts } from '../texts.ts'

const tones: Readonly<Record<Proposal['effect'], Tone>> = {
  read: 'neutral',
  write: 'info',
  outside: 'warn',
  money: 'warn',
}

export interface CardProps {
  title: string
  about: string
  effect: Proposal['effect']
  state?: ReactNode
  children: ReactNode
}

export function Card({ title, about, effect, state, children }: CardProps) {
  const t = useAssistantTexts()
  return (
    <div
      role="group"
      aria-label={title}
      className="flex flex-col gap-3 rounded-xl border border-line-strong bg-surface p-4 shadow-card"
    >
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="mr-auto font-semibold">{title}</h3>
          <Badge tone={tones[effect]}>{t(`effect_${effect}`)}</Badge>
          {state}
        </div>
        <p className="mt-1 text-sm text-muted">{about}</p>
      </div>
      {children}
    </div>
  )
}

export function PageLink({ page, onNavigate }: { page: string; onNavigate(): void }) {
  const t = useAssistantTexts()
  const { link } = useProjectScope()
  return (
    <Link
      to={link(page)}
      onClick={onNavigate}
      className="flex w-fit items-center gap-1 text-sm font-medium"
    >
      {t('open_page')}
      <ArrowRight className="size-3.5" aria-hidden="true" />
    </Link>
  )
}

/** A pending approval: its effect, its requester, and the time until it expires. */
import { Banknote, Pencil, Send, Trash2 } from 'lucide-react'
import { useFormat } from '../../language/format.ts'
import { useLanguage } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { aboutIn, type ListedApproval } from './queries.ts'
import { useApprovalTexts } from './texts.ts'

const icons = { deletes: Trash2, outside: Send, money: Banknote, writes: Pencil } as const
const tones: Readonly<Record<ListedApproval['effect'], Tone>> = {
  deletes: 'bad',
  outside: 'info',
  money: 'warn',
  writes: 'neutral',
}

export function EffectBadge({ effect }: Pick<ListedApproval, 'effect'>) {
  const t = useApprovalTexts()
  return <Badge tone={tones[effect]}>{t(effect)}</Badge>
}

const statusTones: Readonly<Record<ListedApproval['status'], Tone>> = {
  pending: 'warn',
  approved: 'info',
  executed: 'good',
  failed: 'bad',
  rejected: 'neutral',
}

export function StatusBadge({ status }: Pick<ListedApproval, 'status'>) {
  const t = useApprovalTexts()
  return (
    <Badge tone={statusTones[status]} dot={status === 'pending'}>
      {t(status)}
    </Badge>
  )
}

export interface ApprovalCardProps {
  approval: ListedApproval
  onReview(): void
}

export function ApprovalCard({ approval, onReview }: ApprovalCardProps) {
  const t = useApprovalTexts()
  const format = useFormat()
  const language = useLanguage()
  const { subject, effect, cost, asked_by, created_at, expires_at } = approval
  const Icon = icons[effect]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-bg text-muted">
        <Icon className="size-4.5" aria-hidden="true" />
      </span>
      <div className="min-w-56 flex-1">
        <p className="font-medium">{aboutIn(language, approval)}</p>
        {subject !== null && <p className="wrap-anywhere">{subject}</p>}
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-muted">
          <span>
            {t('asked_by')} <b className="font-medium text-fg">{asked_by}</b>
          </span>
          <span aria-hidden="true">·</span>
          <span title={format.moment(created_at)}>{format.ago(created_at)}</span>
          <span aria-hidden="true">·</span>
          <span title={format.moment(expires_at)}>
            {t('expires')} {format.ago(expires_at)}
          </span>
        </p>
      </div>
      <div className="flex items-center gap-3 max-sm:w-full max-sm:justify-between">
        {cost === null ? (
          <EffectBadge effect={effect} />
        ) : (
          <span className="font-semibold tabular-nums">{cost}</span>
        )}
        <Button onClick={onReview}>{t('review')}</Button>
      </div>
    </li>
  )
}

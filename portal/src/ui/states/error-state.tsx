/** Something could not be loaded or done: why, what to do, and the id to give to support. */
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonAnchor } from '../actions/button.tsx'
import { CopyButton } from '../actions/copy-button.tsx'
import { useUiTexts } from '../texts.ts'

export interface ErrorStateProps {
  user_message: string
  next_step: string | null
  request_id: string | null
  /** The page with larger plans, if a larger plan resolves the error. */
  plan_url?: string | null
  onRetry?: () => void
  action?: ReactNode
}

export function ErrorState(props: ErrorStateProps) {
  const { user_message, next_step, request_id, plan_url = null, onRetry, action } = props
  const t = useUiTexts()
  return (
    <div role="alert" className="flex gap-3.5 rounded-xl border border-line bg-bad-soft p-5">
      <CircleAlert className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{user_message}</p>
        {next_step !== null && (
          <p className="mt-1 text-sm text-muted">
            {t('next_step')}: {next_step}
          </p>
        )}
        {(onRetry !== undefined || action !== undefined || plan_url !== null) && (
          <div className="mt-3 flex flex-wrap gap-2">
            {onRetry !== undefined && (
              <Button size="sm" onClick={onRetry}>
                {t('retry')}
              </Button>
            )}
            {plan_url !== null && (
              <ButtonAnchor size="sm" href={plan_url}>
                {t('see_plans')}
              </ButtonAnchor>
            )}
            {action}
          </div>
        )}
        {request_id !== null && (
          <p className="mt-3 flex items-center gap-1 text-xs text-muted">
            {t('request_id')}: <code className="font-mono">{request_id}</code>
            <CopyButton text={request_id} />
          </p>
        )}
      </div>
    </div>
  )
}

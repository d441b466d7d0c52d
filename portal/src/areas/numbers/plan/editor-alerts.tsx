/** What stands in the way of the plan as a whole: a newer version, unreadable JSON, a refusal. */
import { CircleAlert, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button, ButtonLink } from '../../../ui/actions/button.tsx'
import { usePlanEditor } from './editor-context.tsx'
import { usePlanTexts } from './texts.ts'
import type { PlanSaving } from './use-plan-saving.tsx'

export function EditorAlerts({ saving: { newer, compare } }: { saving: PlanSaving }) {
  const t = usePlanTexts()
  const { draft, problems, mayEdit } = usePlanEditor()
  const { link } = useProjectScope()
  return (
    <>
      {newer !== null && (
        <Alert
          tone="bg-warn-soft"
          icon={<GitCompareArrows className="size-4 text-warn" aria-hidden="true" />}
          action={
            <Button size="sm" onClick={compare}>
              {t('review')}
            </Button>
          }
        >
          <b className="font-medium">{t('changed_elsewhere')}</b>{' '}
          {t('changed_elsewhere_about', { version: newer.version })}
        </Alert>
      )}
      {draft.text_fault !== null && (
        <Alert
          tone="bg-bad-soft"
          icon={<CircleAlert className="size-4 text-bad" aria-hidden="true" />}
        >
          <b className="font-medium">{t('json_fault')}:</b> {draft.text_fault}
        </Alert>
      )}
      {problems.refusal !== null && mayEdit && (
        <Alert
          tone="bg-bad-soft"
          icon={<CircleAlert className="size-4 text-bad" aria-hidden="true" />}
          action={
            problems.refusal === 'assistant_not_configured' && (
              <ButtonLink size="sm" to={link('/assistant')}>
                {t('set_up_assistant')}
              </ButtonLink>
            )
          }
        >
          <Refusal error={problems.refusal} />
        </Alert>
      )}
      {!mayEdit && (
        <p className="border-t border-line px-5 py-3 text-sm text-muted">{t('read_only')}</p>
      )}
    </>
  )
}

function Refusal({ error }: { error: string }) {
  const t = usePlanTexts()
  if (error === 'assistant_not_configured' || error === 'voice_ai_not_enabled') {
    return <>{t(`refusal_${error}`)}</>
  }
  return <>{t('refusal_unknown', { error })}</>
}

interface AlertProps {
  tone: string
  icon: ReactNode
  action?: ReactNode
  children: ReactNode
}

function Alert({ tone, icon, action, children }: AlertProps) {
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-3 border-t border-line px-5 py-2.5 text-sm ${tone}`}
    >
      {icon}
      <p className="min-w-60 flex-1">{children}</p>
      {action}
    </div>
  )
}

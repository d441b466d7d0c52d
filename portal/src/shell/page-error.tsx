/** The page for an unexpected error, such as code that no longer exists after an update. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { Button } from '../ui/actions/button.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { useShellTexts } from './texts.ts'

export function PageError({ error }: ErrorComponentProps) {
  const t = useShellTexts()
  return (
    <main className="mx-auto max-w-2xl px-4 py-16">
      <ErrorState
        user_message={t('crash')}
        next_step={`${t('crash_about')} (${error instanceof Error ? error.message : String(error)})`}
        request_id={null}
        action={
          <Button size="sm" onClick={() => location.reload()}>
            {t('reload')}
          </Button>
        }
      />
    </main>
  )
}

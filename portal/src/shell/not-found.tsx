/** The page for an unknown path. */
import { Compass } from 'lucide-react'
import { ButtonLink } from '../ui/actions/button.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { useShellTexts } from './texts.ts'

export function NotFound() {
  const t = useShellTexts()
  return (
    <main className="grid min-h-[70dvh] place-items-center">
      <title>{t('not_found')}</title>
      <EmptyState
        icon={<Compass aria-hidden="true" />}
        title={t('not_found')}
        about={t('not_found_about')}
        action={
          <ButtonLink to="/" kind="primary">
            {t('to_projects')}
          </ButtonLink>
        }
      />
    </main>
  )
}

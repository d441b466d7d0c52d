/** Links to the pages that are useful after the first request. */
import { Link } from '@tanstack/react-router'
import { Bot, Database, Globe, Rocket } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { startTexts } from './texts.ts'

const choices = [
  { key: 'assistant', path: '/assistant', icon: Bot },
  { key: 'data', path: '/data', icon: Database },
  { key: 'sites', path: '/sites', icon: Globe },
  { key: 'live', path: '/go-live', icon: Rocket },
] as const

export function NextPages() {
  const t = useTexts(startTexts)
  const { link } = useProjectScope()
  return (
    <section className="pl-12">
      <h2 className="text-lg font-semibold tracking-tight">{t('next')}</h2>
      <ul className="mt-3 grid gap-3 sm:grid-cols-2">
        {choices.map(({ key, path, icon: Icon }) => (
          <li key={key}>
            <Link
              to={link(path)}
              className="flex h-full gap-3 rounded-xl border border-line bg-surface p-4 no-underline shadow-card transition-colors hover:border-faint"
            >
              <Icon className="mt-0.5 size-4.5 shrink-0 text-accent" aria-hidden="true" />
              <span>
                <span className="block font-medium">{t(`next_${key}`)}</span>
                <span className="block text-sm text-muted">{t(`next_${key}_about`)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

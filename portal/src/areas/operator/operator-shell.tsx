/** The frame of the operator console. To everyone else the page does not exist. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { meQuery } from '../../api/session.ts'
import { useTexts } from '../../language/texts.ts'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { Logo } from '../../shell/logo.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { operatorTexts } from './texts.ts'

const tabs = [
  ['/operator', 'overview'],
  ['/operator/projects', 'projects'],
  ['/operator/reviews', 'reviews'],
  ['/operator/acts', 'acts'],
] as const

export function OperatorShell() {
  const { data: me } = useQuery(meQuery)
  if (me === undefined) return null
  return me.person.is_operator ? <Frame /> : <NotFound />
}

function Frame() {
  const t = useTexts(operatorTexts)
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line bg-side">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2.5 px-4 sm:px-8">
          <Link to="/" aria-label="Homeport">
            <Logo />
          </Link>
          <span className="font-semibold tracking-tight">{t('console')}</span>
          <div className="ml-auto">
            <AccountMenu side="bottom" />
          </div>
        </div>
        <nav
          aria-label={t('navigation')}
          className="no-scrollbar mx-auto flex max-w-6xl gap-1 overflow-x-auto px-2 sm:px-6"
        >
          {tabs.map(([to, name]) => (
            <Link
              key={to}
              to={to}
              activeOptions={{ exact: true }}
              className="border-b-2 border-transparent px-3 py-2 font-medium whitespace-nowrap text-muted no-underline hover:text-fg"
              activeProps={{ className: 'border-accent! text-fg!' }}
            >
              {t(name)}
            </Link>
          ))}
        </nav>
      </header>
      <main id="main" className="mx-auto max-w-6xl px-4 py-6 sm:px-8 sm:py-9">
        <Outlet />
      </main>
    </div>
  )
}

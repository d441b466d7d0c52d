/** The frame of the operator console. To everyone else the page does not exist. */
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { meQuery } from '../../api/session.ts'
import { AccountMenu } from '../../shell/account-menu.tsx'
import { Logo } from '../../shell/logo.tsx'
import { NotFound } from '../../shell/not-found.tsx'
import { alertsQuery } from './alerts/queries.ts'
import { reviewsQuery } from './queries.ts'
import { useOperatorTexts } from './texts.ts'
import { verificationsQuery } from './verifications/queries.ts'

const tabs = [
  ['/operator', 'overview'],
  ['/operator/alerts', 'alerts'],
  ['/operator/incidents', 'incidents'],
  ['/operator/projects', 'projects'],
  ['/operator/reviews', 'reviews'],
  ['/operator/verifications', 'verifications'],
  ['/operator/invitations', 'invitations'],
  ['/operator/backups', 'backups'],
  ['/operator/acts', 'acts'],
] as const

export function OperatorShell() {
  const { data: me } = useQuery(meQuery)
  if (me === undefined) return null
  return me.person.is_operator ? <Frame /> : <NotFound />
}

function Frame() {
  const t = useOperatorTexts()
  const { pathname } = useLocation()
  const tabList = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the tabs are wider than the screen.
    const current = tabList.current?.querySelector('[aria-current="page"]')
    current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
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
          ref={tabList}
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
              <Waiting tab={name} />
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

/** How many records of the tab wait for an operator. */
function Waiting({ tab }: { tab: (typeof tabs)[number][1] }) {
  if (tab === 'alerts') return <FiringCount />
  if (tab === 'reviews') return <ReviewCount />
  return tab === 'verifications' ? <VerificationCount /> : null
}

function FiringCount() {
  const t = useOperatorTexts()
  const { data } = useQuery(alertsQuery)
  const count = data?.firing.length ?? 0
  return <Count count={count} label={t('alerts_firing', { count })} />
}

function ReviewCount() {
  const t = useOperatorTexts()
  const { data } = useQuery(reviewsQuery(true))
  const count = data?.length ?? 0
  return <Count count={count} label={t('waiting', { count })} />
}

function VerificationCount() {
  const t = useOperatorTexts()
  const { data } = useQuery(verificationsQuery(true))
  const count = data?.length ?? 0
  return <Count count={count} label={t('waiting', { count })} />
}

function Count({ count, label }: { count: number; label: string }) {
  if (count === 0) return null
  return (
    <span
      aria-label={label}
      className="ml-1.5 inline-grid h-5 min-w-5 place-items-center rounded-full bg-bad-soft px-1.5 text-xs font-semibold text-bad"
    >
      {count}
    </span>
  )
}

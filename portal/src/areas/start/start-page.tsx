/**
 * The steps from a new project to its first request. The server's data decide which steps are
 * complete, so the page can be left and opened again.
 */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, Link } from '@tanstack/react-router'
import { Check, KeyRound, Bot, Database, Globe, Rocket } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ButtonLink, Button } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { ChoiceCards } from '../../ui/forms/choice-cards.tsx'
import { ConnectBox } from '../connections/connect-box.tsx'
import { createKey, keysKey } from '../keys/queries.ts'
import { ShownKey } from '../keys/shown-key.tsx'
import { FirstRequest } from './first-request.tsx'
import { useIsConnected } from './is-connected.ts'
import { firstRequestQuery } from './queries.ts'
import { useStartTexts } from './texts.ts'

const choices = [
  { key: 'assistant', path: '/assistant', icon: Bot },
  { key: 'data', path: '/data', icon: Database },
  { key: 'sites', path: '/sites', icon: Globe },
  { key: 'live', path: '/go-live', icon: Rocket },
] as const

export function Page() {
  const t = useStartTexts()
  const scope = useProjectScope()
  const request = useQuery(firstRequestQuery(scope)).data ?? null
  const isConnected = useIsConnected() === true || request !== null
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader
        title={t('title')}
        about={t('about', { project: scope.project.name })}
        actions={
          <ButtonLink kind="ghost" to={scope.link('')}>
            {t('later')}
          </ButtonLink>
        }
      />
      <ol className="flex flex-col">
        <Step number={1} title={t('created')} isDone isNext={false}>
          <p className="text-muted">{t('created_about')}</p>
        </Step>
        <Step number={2} title={t('connect')} isDone={isConnected} isNext={!isConnected}>
          <Connect />
        </Step>
        <Step
          number={3}
          title={t('request')}
          isDone={request !== null}
          isNext={isConnected && request === null}
        >
          <FirstRequest request={request} />
        </Step>
      </ol>
      {request !== null && <NextPages />}
    </div>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  isNext: boolean
  children: ReactNode
}

function Step({ number, title, isDone, isNext, children }: StepProps) {
  const t = useStartTexts()
  return (
    <li className="group relative flex gap-4 pb-8" aria-current={isNext ? 'step' : undefined}>
      <span
        aria-hidden="true"
        className="absolute top-8 bottom-0 left-3.75 w-px bg-line group-last:hidden"
      />
      <span
        className={cx(
          'z-10 grid size-8 shrink-0 place-items-center rounded-full text-sm font-semibold tabular-nums',
          isDone && 'bg-good-soft text-good',
          !isDone && isNext && 'bg-accent text-on-accent',
          !isDone && !isNext && 'bg-hover text-muted',
        )}
      >
        {isDone ? <Check className="size-4" aria-label={t('done')} role="img" /> : number}
      </span>
      <section className="min-w-0 flex-1 rounded-xl border border-line bg-surface p-5 shadow-card">
        <h2 className="text-lg font-semibold tracking-tight">{title}</h2>
        <div className="mt-2">{children}</div>
      </section>
    </li>
  )
}

/** The chosen client is in the URL, so that it stays chosen after a confirmation of identity. */
function Connect() {
  const t = useStartTexts()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const { may } = useProjectScope()
  const way = hash === 'key' ? 'key' : 'assistant'
  return (
    <div className="flex flex-col gap-5">
      <ChoiceCards
        legend={t('way')}
        value={way}
        onChange={(next) => void navigate({ to: '.', hash: next === 'key' ? next : '' })}
        choices={[
          { value: 'assistant', title: t('way_assistant'), about: t('way_assistant_about') },
          {
            value: 'key',
            title: t('way_key'),
            about: t(may('admin') ? 'way_key_about' : 'way_key_admins'),
            disabled: !may('admin'),
          },
        ]}
      />
      {way === 'key' ? <FirstKey /> : <ConnectBox />}
    </div>
  )
}

/** Creates a test key with one click, and shows it once with a request that uses it. */
function FirstKey() {
  const t = useStartTexts()
  const scope = useProjectScope()
  const [key, setKey] = useState<string | null>(null)
  const mode = scope.project.shape === 'live' ? 'live' : 'test'
  const act = useAct({
    run: () => createKey(scope, { name: t('key_name'), mode, scopes: 'full' }),
    refresh: [keysKey(scope)],
    onDone: (made) => setKey(made.key),
  })
  if (key !== null) {
    return (
      <div className="flex flex-col gap-4">
        <p className="text-sm text-warn">{t('key_once')}</p>
        <ShownKey value={key} />
      </div>
    )
  }
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">{t('key_about')}</p>
      <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
        <KeyRound aria-hidden="true" />
        {t('key_create')}
      </Button>
    </div>
  )
}

/** Links to the pages that are useful after the first request. */
function NextPages() {
  const t = useStartTexts()
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

/** Email: the overview, sent emails, sending domains, addresses and the outbox. */
import { useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Addresses } from './addresses.tsx'
import { Domains } from './domains/domains.tsx'
import { EmailList } from './email-list.tsx'
import { Outbox } from './outbox.tsx'
import { Overview } from './overview.tsx'
import { emailKey, statusQuery, switchEmail, type EmailStatus } from './queries.ts'
import { useEmailTexts } from './texts.ts'

export function Page() {
  const t = useEmailTexts()
  const query = useQuery(statusQuery(useProjectScope()))
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <QueryState query={query}>
        {(status) => (status.enabled ? <Parts status={status} /> : <SwitchedOff />)}
      </QueryState>
    </>
  )
}

function SwitchedOff() {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const act = useAct({
    run: () => switchEmail(scope, true),
    done: t('turned_on'),
    refresh: [emailKey(scope)],
  })
  const action = (
    <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(undefined)}>
      {t('turn_on')}
    </Button>
  )
  const isOwner = scope.may('owner')
  return (
    <Card flush>
      <EmptyState
        icon={<Mail aria-hidden="true" />}
        title={t('off')}
        about={isOwner ? t('off_about') : t('off_not_owner')}
        {...(isOwner && { action })}
      />
    </Card>
  )
}

const parts = ['overview', 'emails', 'domains', 'addresses', 'outbox'] as const

function Parts({ status }: { status: EmailStatus }) {
  const t = useEmailTexts()
  const [part, setPart] = useTab(parts)
  const bodies = {
    overview: <Overview status={status} onAddresses={() => setPart('addresses')} />,
    emails: <EmailList />,
    domains: <Domains />,
    addresses: <Addresses />,
    outbox: <Outbox />,
  }
  const shown = parts.filter((one) => one !== 'outbox' || status.delivery === 'log')
  return (
    <Tabs
      value={part}
      onChange={setPart}
      label={t('parts')}
      tabs={shown.map((value) => ({ value, title: t(value), body: bodies[value] }))}
    />
  )
}

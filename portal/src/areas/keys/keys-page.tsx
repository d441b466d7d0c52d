/** The page of everything with access to the project: API keys and connected assistants. */
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { Lock, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ConnectionsList } from '../connections/connections-list.tsx'
import { connectionsQuery } from '../connections/queries.ts'
import { KeysList } from './keys-list.tsx'
import { useKeyTexts } from './texts.ts'

const CreateKey = lazy(async () => ({
  default: (await import('./create-key.tsx')).CreateKeyDialog,
}))

type Tab = 'keys' | 'connections'

export function Page() {
  const t = useKeyTexts()
  const scope = useProjectScope()
  const { hash } = useLocation()
  const navigate = useNavigate()
  const mayManage = scope.may('admin')
  const [tab, setTab] = useState<Tab>(hash === 'connections' || !mayManage ? 'connections' : 'keys')
  const connections = useQuery(connectionsQuery(scope))
  const create = (open: boolean) => void navigate({ to: '.', hash: open ? 'new' : '' })
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={
          mayManage && (
            <Button kind="primary" onClick={() => create(true)}>
              <Plus aria-hidden="true" />
              {t('create')}
            </Button>
          )
        }
      />
      <Tabs
        label={t('title')}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'keys',
            title: t('keys'),
            body: mayManage ? <KeysList onCreate={() => create(true)} /> : <AdminsOnly />,
          },
          {
            value: 'connections',
            title: t('connections'),
            ...(connections.data && { count: connections.data.length }),
            body: <ConnectionsList query={connections} />,
          },
        ]}
      />
      {mayManage && hash === 'new' && (
        <Suspense fallback={null}>
          <CreateKey open onOpenChange={create} />
        </Suspense>
      )}
    </>
  )
}

function AdminsOnly() {
  const t = useKeyTexts()
  return (
    <Card flush>
      <EmptyState icon={<Lock aria-hidden="true" />} title={t('keys')} about={t('admins_only')} />
    </Card>
  )
}

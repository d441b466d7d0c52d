/** The webhook endpoints, and the deliveries of the selected one. */
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { CreateEndpointDialog } from './create-endpoint.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { endpointsQuery, type Endpoint } from './queries.ts'
import { useWebhookTexts } from './texts.ts'

export function Page() {
  const t = useWebhookTexts()
  const [creates, setCreates] = useState(false)
  const query = useQuery(endpointsQuery(useProjectScope()))
  const create = (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('create')}
    </Button>
  )
  const isEmpty = query.data?.length === 0
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={!isEmpty && create} />
      <QueryState query={query}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Card flush>
              <EmptyState
                icon={<Webhook aria-hidden="true" />}
                title={t('empty')}
                about={t('empty_about')}
                sentence={t('sentence')}
                action={create}
              />
            </Card>
          ) : (
            <Endpoints endpoints={endpoints} />
          )
        }
      </QueryState>
      <CreateEndpointDialog open={creates} onOpenChange={setCreates} />
    </>
  )
}

function Endpoints({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const endpoint = endpoints.find(({ id }) => id === chosen) ?? endpoints[0]
  return (
    <div className="grid gap-6 lg:grid-cols-[20rem_1fr] lg:items-start">
      <ul className="flex flex-col gap-3">
        {endpoints.map((one) => (
          <EndpointCard
            key={one.id}
            endpoint={one}
            selected={one === endpoint}
            onSelect={() => setChosen(one.id)}
          />
        ))}
      </ul>
      {endpoint !== undefined && <Deliveries key={endpoint.id} endpoint_id={endpoint.id} />}
    </div>
  )
}

/** The sending domains, each with its DNS records to copy and their state. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { OperationDialog } from '../../../api/operation-form.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { addDomain, domainsQuery, emailKey } from '../queries.ts'
import { useEmailTexts } from '../texts.ts'
import { DomainCard } from './domain-card.tsx'

export function Domains() {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const [adds, setAdds] = useState(false)
  const query = useInfiniteQuery(domainsQuery(scope))
  const add = scope.may('member') && (
    <Button kind="primary" onClick={() => setAdds(true)}>
      <Plus aria-hidden="true" />
      {t('add_domain')}
    </Button>
  )
  const empty = (
    <Card flush>
      <EmptyState
        icon={<Globe aria-hidden="true" />}
        title={t('no_domain')}
        about={t('no_domain_about')}
        sentence={t('sentence')}
        action={add}
      />
    </Card>
  )
  return (
    <div className="flex flex-col gap-6 pt-6">
      <InfiniteList query={query} more={t('more')} empty={empty}>
        {(rows) => (
          <>
            <p>{add}</p>
            {rows.map((domain) => (
              <DomainCard key={domain.id} domain={domain} />
            ))}
          </>
        )}
      </InfiniteList>
      {adds && (
        <OperationDialog
          operation="sending_domains.create"
          title={t('add_domain')}
          fields={[
            {
              path: 'domain',
              label: t('domain'),
              hint: t('domain_hint'),
              placeholder: 'bakery.example',
              check: (text) => (isDomain(text) ? undefined : t('domain_fault')),
            },
          ]}
          action={t('add')}
          refresh={[emailKey(scope)]}
          run={({ domain }: { domain: string }) => addDomain(scope, domain)}
          onClose={() => setAdds(false)}
          onDone={() => setAdds(false)}
        />
      )}
    </div>
  )
}

function isDomain(text: string): boolean {
  return /^[^\s@/]+\.[^\s@/]{2,}$/.test(text)
}

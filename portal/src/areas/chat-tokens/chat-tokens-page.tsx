/** The public tokens of the project: those of the chat widget, and of forms. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MessageCirclePlus, Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { tokensQuery, type ChatToken } from './queries.ts'
import { useTokenTexts } from './texts.ts'
import { TokenCard } from './token-card.tsx'

const TokenDialog = lazy(async () => ({
  default: (await import('./token-dialog.tsx')).TokenDialog,
}))

/** The token whose dialog is open; `new` for one to create. */
type Opened = ChatToken | 'new' | null

export function Page() {
  const t = useTokenTexts()
  const scope = useProjectScope()
  const query = useInfiniteQuery(tokensQuery(scope))
  const [opened, setOpened] = useState<Opened>(null)
  const tokens = query.data?.pages.flatMap(({ data }) => data)
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setOpened('new')}>
      <Plus aria-hidden="true" />
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={tokens !== undefined && tokens.length > 0 && create}
      />
      <QueryState query={query}>
        {() =>
          tokens?.length === 0 ? (
            <Card flush>
              <EmptyState
                icon={<MessageCirclePlus aria-hidden="true" />}
                title={t('empty')}
                about={t('empty_about')}
                sentence={t('sentence')}
                action={create}
              />
            </Card>
          ) : (
            <Tokens
              tokens={tokens ?? []}
              more={query.hasNextPage ? () => void query.fetchNextPage() : null}
              onEdit={setOpened}
            />
          )
        }
      </QueryState>
      {opened !== null && (
        <Suspense fallback={null}>
          <TokenDialog token={opened === 'new' ? null : opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  )
}

interface TokensProps {
  tokens: readonly ChatToken[]
  more: (() => void) | null
  onEdit(token: ChatToken): void
}

function Tokens({ tokens, more, onEdit }: TokensProps) {
  const t = useTokenTexts()
  const active = tokens.filter((token) => token.active)
  const revoked = tokens.filter((token) => !token.active)
  const card = (token: ChatToken) => (
    <TokenCard key={token.id} token={token} onEdit={() => onEdit(token)} />
  )
  return (
    <div className="flex flex-col gap-6">
      {active.length > 0 && (
        <>
          <ul className="grid items-start gap-4 xl:grid-cols-2">{active.map(card)}</ul>
          <p className="text-sm text-muted">{t('tag_lost')}</p>
        </>
      )}
      {revoked.length > 0 && (
        <details>
          <summary className="cursor-pointer text-muted hover:text-fg">
            {t('revoked_count', { count: revoked.length })}
          </summary>
          <ul className="mt-4 grid items-start gap-4 xl:grid-cols-2">{revoked.map(card)}</ul>
        </details>
      )}
      {more !== null && (
        <p className="text-center">
          <Button size="sm" kind="ghost" onClick={more}>
            {t('more')}
          </Button>
        </p>
      )}
    </div>
  )
}

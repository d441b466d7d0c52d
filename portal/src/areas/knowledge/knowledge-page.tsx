/** The knowledge page: sources, a test search, and limits. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { LibraryBig, Plus, Info } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button, ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { useOpenId } from '../../ui/display/use-tab.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { assistantQuery } from '../assistant/queries.ts'
import { SourceDrawer } from './source-drawer.tsx'
import { sourcesQuery } from './queries.ts'
import { SourceRow } from './source-row.tsx'
import { useKnowledgeTexts } from './texts.ts'
import { ToolsCard } from './tools/tools-card.tsx'
import { TryQuestion } from './try-question.tsx'
import { UsageCard } from './usage-card.tsx'

const AddSource = lazy(async () => ({
  default: (await import('./add/add-source.tsx')).AddSource,
}))

export function Page() {
  const t = useKnowledgeTexts()
  const query = useInfiniteQuery(sourcesQuery(useProjectScope()))
  const [adds, setAdds] = useState(false)
  const [opened, setOpened] = useOpenId()
  const add = (
    <Button kind="primary" onClick={() => setAdds(true)}>
      <Plus aria-hidden="true" />
      {t('add')}
    </Button>
  )
  const isEmpty = query.data?.pages[0]?.data.length === 0
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={!isEmpty && add} />
      <SetUpNotice />
      <div className="grid items-start gap-6 xl:grid-cols-[1fr_22rem]">
        <Card flush>
          <InfiniteList
            query={query}
            more={t('more')}
            empty={
              <EmptyState
                icon={<LibraryBig aria-hidden="true" />}
                title={t('empty')}
                about={t('empty_about')}
                sentence={t('sentence')}
                action={add}
              />
            }
          >
            {(sources) => (
              <ul aria-label={t('list')} className="-mt-3 divide-y divide-line">
                {sources.map((source) => (
                  <SourceRow key={source.id} source={source} onOpen={() => setOpened(source.id)} />
                ))}
              </ul>
            )}
          </InfiniteList>
        </Card>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title={t('try')} about={t('try_about')}>
            <TryQuestion />
          </Card>
          <ToolsCard />
          <UsageCard />
        </div>
      </div>
      <SourceDrawer id={opened} onClose={() => setOpened(null)} />
      <Suspense fallback={null}>{adds && <AddSource onClose={() => setAdds(false)} />}</Suspense>
    </>
  )
}

/** Says that nobody is answered from the knowledge before the assistant is set up. */
function SetUpNotice() {
  const t = useKnowledgeTexts()
  const scope = useProjectScope()
  const { data } = useQuery(assistantQuery(scope))
  if (data === undefined || data.configured) return null
  return (
    <div
      role="status"
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-info-soft p-4"
    >
      <Info aria-hidden="true" className="size-5 shrink-0" />
      <p className="min-w-56 flex-1">{t('not_set_up')}</p>
      <ButtonLink to={scope.link('/assistant')}>{t('set_up')}</ButtonLink>
    </div>
  )
}

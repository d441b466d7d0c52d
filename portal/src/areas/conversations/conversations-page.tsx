/** The inbox: the conversations of visitors, and the selected one beside the list. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { countFirstPage, OtherMode, useOtherMode } from '../../shell/other-mode.tsx'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { useWide } from '../../ui/wide.ts'
import { ChatPane } from './chat/chat-pane.tsx'
import { useReplies } from './chat/use-replies.ts'
import { ConversationList } from './list/conversation-list.tsx'
import { ListFilters } from './list/list-filters.tsx'
import { useInboxList, type View } from './list/views.ts'
import { conversationsQuery, waitingQuery, type ConversationFilter } from './queries.ts'
import { useInboxTexts } from './texts.ts'
import { useInboxKeys } from './use-inbox-keys.ts'

export function Page() {
  const t = useInboxTexts()
  const [view, setView] = useState<View>('all')
  const [filter, setFilter] = useState<ConversationFilter>({})
  const list = useInboxList(view, filter)
  const { data: waiting = [] } = useQuery(waitingQuery(useProjectScope()))
  const isFiltered = view !== 'all' || Object.keys(filter).length > 0
  const count = waiting.length
  if (list.rows?.length === 0 && !isFiltered) return <EmptyInbox />
  return (
    <>
      <title>{count === 0 ? t('title') : t('title_waiting', { count })}</title>
      <Panes
        list={list}
        isWaitingView={view === 'waiting' && Object.keys(filter).length === 0}
        filters={
          <ListFilters
            view={view}
            onView={setView}
            filter={filter}
            onFilter={setFilter}
            waiting={count}
          />
        }
      />
    </>
  )
}

function Others() {
  const { other, has_both } = useOtherMode()
  const { data } = useInfiniteQuery({ ...conversationsQuery(other, {}), enabled: has_both })
  return <OtherMode count={countFirstPage(data)} />
}

function EmptyInbox() {
  const t = useInboxTexts()
  const { link, mode } = useProjectScope()
  return (
    <>
      <PageHeader title={t('title')} />
      <Others />
      <Card flush>
        <EmptyState
          icon={<MessagesSquare aria-hidden="true" />}
          title={t(`empty_${mode}`)}
          about={t('empty_about')}
          sentence={t('sentence')}
          action={
            <ButtonLink to={link('/chat-tokens')} kind="primary">
              {t('empty_action')}
            </ButtonLink>
          }
        />
      </Card>
    </>
  )
}

interface PanesProps {
  list: ReturnType<typeof useInboxList>
  filters: React.ReactNode
  isWaitingView: boolean
}

/** The selected conversation is in the URL, so that a link opens it. */
function Panes({ list, filters, isWaitingView }: PanesProps) {
  const t = useInboxTexts()
  const { hash: selected } = useLocation()
  const navigate = useNavigate()
  const field = useRef<HTMLTextAreaElement>(null)
  const [closes, setCloses] = useState(false)
  const replies = useReplies()
  const select = (id: string) => {
    setCloses(false)
    void navigate({ to: '.', hash: id, resetScroll: false })
  }
  useFirstSelected(list.rows?.[0]?.id, selected)
  useInboxKeys({
    ids: list.rows?.map(({ id }) => id) ?? [],
    selected,
    onSelect: select,
    onReply: () => field.current?.focus(),
    onClose: () => setCloses(true),
  })
  return (
    <div
      data-wide=""
      className="-mx-4 -my-6 grid h-[calc(100dvh-var(--band)-3.5rem)] grid-rows-1 sm:-mx-8 sm:-my-9 lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[21rem_minmax(0,1fr)_18rem]"
    >
      <section
        className={cx(
          'flex min-h-0 min-w-0 flex-col border-line lg:border-r',
          selected !== '' && 'max-lg:hidden',
        )}
      >
        <h1 className="px-3 pt-4 pb-2.5 text-xl font-semibold tracking-tight">{t('title')}</h1>
        {filters}
        <div className="px-3 pt-3 empty:hidden">
          <Others />
        </div>
        <ConversationList
          list={list}
          selected={selected}
          isWaitingView={isWaitingView}
          onSelect={select}
        />
        <Keys />
      </section>
      {selected === '' ? (
        <div className="grid place-items-center max-lg:hidden xl:col-span-2">
          <EmptyState
            icon={<MessagesSquare aria-hidden="true" />}
            title={t('pick')}
            about={t('pick_about')}
          />
        </div>
      ) : (
        <>
          {/* The heading of the list is hidden beside an open conversation on a phone. */}
          <h1 className="sr-only lg:hidden">{t('title')}</h1>
          <ChatPane
            key={selected}
            id={selected}
            replies={replies}
            field={field}
            closes={closes}
            onCloses={setCloses}
            onBack={() => select('')}
          />
        </>
      )}
    </div>
  )
}

/** Opens the first conversation once, if there is room for it beside the list. */
function useFirstSelected(first: string | undefined, selected: string): void {
  const isWide = useWide()
  const navigate = useNavigate()
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || first === undefined) return
    isDone.current = true
    if (isWide && selected === '')
      void navigate({ to: '.', hash: first, replace: true, resetScroll: false })
  }, [first, isWide, selected, navigate])
}

const keyClass = 'rounded border border-line px-1 font-mono text-[0.6875rem]'

function Keys() {
  const t = useInboxTexts()
  return (
    <p className="mt-auto flex flex-wrap gap-x-3 gap-y-1 border-t border-line px-3 py-2 text-xs text-muted max-lg:hidden">
      <span>
        <kbd className={keyClass}>j</kbd> <kbd className={keyClass}>k</kbd> {t('keys_move')}
      </span>
      <span>
        <kbd className={keyClass}>r</kbd> {t('keys_reply')}
      </span>
      <span>
        <kbd className={keyClass}>e</kbd> {t('keys_close')}
      </span>
    </p>
  )
}

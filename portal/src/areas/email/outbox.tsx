/** Messages that a server for development wrote instead of sending them, with their source. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Preview } from './preview.tsx'
import { outboxMessageQuery, outboxQuery, type OutboxMessage } from './queries.ts'
import { emailTexts } from './texts.ts'

export function Outbox() {
  const t = useTexts(emailTexts)
  const [open, setOpen] = useState<OutboxMessage | null>(null)
  const query = useInfiniteQuery(outboxQuery(useProjectScope()))
  const empty = (
    <EmptyState
      icon={<Inbox aria-hidden="true" />}
      title={t('no_outbox')}
      about={t('no_outbox_about')}
    />
  )
  return (
    <div className="pt-6">
      <Card flush>
        <InfiniteList query={query} more={t('more')} empty={empty}>
          {(rows) => <Messages rows={rows} onOpen={setOpen} />}
        </InfiniteList>
      </Card>
      <Drawer
        side="right"
        open={open !== null}
        onOpenChange={(next) => !next && setOpen(null)}
        title={open?.subject ?? ''}
      >
        {open !== null && <Message id={open.id} />}
      </Drawer>
    </div>
  )
}

function Messages(props: { rows: readonly OutboxMessage[]; onOpen(row: OutboxMessage): void }) {
  const { rows, onOpen } = props
  const t = useTexts(emailTexts)
  const columns: Column<OutboxMessage>[] = [
    {
      id: 'subject',
      title: t('subject'),
      cell: (row) => (
        <button
          type="button"
          onClick={() => onOpen(row)}
          className="text-left font-medium hover:text-accent"
        >
          {row.subject}
        </button>
      ),
    },
    { id: 'to', title: t('to'), cell: ({ recipient }) => recipient },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      align: 'right',
      cell: ({ written_at }) => <Moment at={written_at} />,
    },
  ]
  return (
    <Table
      label={t('outbox')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={onOpen}
    />
  )
}

function Message({ id }: { id: string }) {
  const t = useTexts(emailTexts)
  const query = useQuery(outboxMessageQuery(useProjectScope(), id))
  return (
    <div className="flex flex-col gap-6 p-5">
      <QueryState query={query}>
        {({ html, text, source, is_cut }) => (
          <>
            <Preview html={html} text={text} />
            <section>
              <h3 className="mb-2 font-semibold">{t('source')}</h3>
              <pre className="max-h-96 overflow-auto rounded-lg border border-line p-3 text-xs">
                {source}
              </pre>
              {is_cut ? (
                <p className="mt-2 text-sm text-muted">{t('source_cut')}</p>
              ) : (
                <ButtonAnchor
                  size="sm"
                  className="mt-3"
                  download={`${id}.eml`}
                  href={`data:message/rfc822,${encodeURIComponent(source)}`}
                >
                  {t('download')}
                </ButtonAnchor>
              )}
            </section>
          </>
        )}
      </QueryState>
    </div>
  )
}

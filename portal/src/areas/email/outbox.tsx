/** Messages that a server for development wrote instead of sending them, with their source. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Loaded } from '../../api/query-state.tsx'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { Preview } from './preview.tsx'
import { outboxMessageQuery, outboxQuery, type OutboxMessage } from './queries.ts'
import { useEmailTexts } from './texts.ts'

export function Outbox() {
  const t = useEmailTexts()
  const [open, setOpen] = useState<OutboxMessage | null>(null)
  const query = useInfiniteQuery(outboxQuery(useProjectScope()))
  return (
    <div className="pt-6">
      <Card flush>
        <ListTable
          query={query}
          label={t('outbox')}
          more={t('more')}
          columns={useColumns(setOpen)}
          icon={<Inbox aria-hidden="true" />}
          empty={{ title: t('no_outbox'), about: t('no_outbox_about') }}
          onOpen={(row) => setOpen(row)}
        />
      </Card>
      <RecordDrawer record={open} onClose={() => setOpen(null)} title={({ subject }) => subject}>
        {({ id }) => <Message id={id} />}
      </RecordDrawer>
    </div>
  )
}

function useColumns(onOpen: (row: OutboxMessage) => void): Column<OutboxMessage>[] {
  const t = useEmailTexts()
  return [
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
}

function Message({ id }: { id: string }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  return (
    <Loaded query={outboxMessageQuery(scope, id)}>
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
    </Loaded>
  )
}

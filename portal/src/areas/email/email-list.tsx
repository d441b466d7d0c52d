/** Sent and scheduled emails, newest first; an email opens with the timeline of each recipient. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { InfiniteList } from '../../api/infinite-list.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { EmailDrawer } from './email-drawer.tsx'
import { momentOf } from './moment-of.ts'
import { emailsQuery, type ListedEmail } from './queries.ts'
import { tones } from './tones.ts'
import { emailTexts } from './texts.ts'

export function EmailList() {
  const t = useTexts(emailTexts)
  const [open, setOpen] = useState<ListedEmail | null>(null)
  const query = useInfiniteQuery(emailsQuery(useProjectScope()))
  const empty = (
    <EmptyState
      icon={<Mail aria-hidden="true" />}
      title={t('no_emails')}
      about={t('no_emails_about')}
    />
  )
  return (
    <div className="pt-6">
      <Card flush>
        <InfiniteList query={query} more={t('more')} empty={empty}>
          {(rows) => <EmailTable rows={rows} onOpen={setOpen} />}
        </InfiniteList>
      </Card>
      <EmailDrawer email={open} onClose={() => setOpen(null)} />
    </div>
  )
}

function EmailTable(props: { rows: readonly ListedEmail[]; onOpen(row: ListedEmail): void }) {
  const { rows, onOpen } = props
  const t = useTexts(emailTexts)
  const columns: Column<ListedEmail>[] = [
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
          <span className="block text-sm font-normal break-all text-muted md:hidden">
            {row.to.join(', ')}
          </span>
        </button>
      ),
    },
    { id: 'to', title: t('to'), from: 'md', cell: ({ to }) => to.join(', ') },
    {
      id: 'state',
      title: t('state'),
      cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
    },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      align: 'right',
      cell: (row) => <Moment at={momentOf(row)} />,
    },
  ]
  return (
    <Table
      label={t('emails')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={onOpen}
    />
  )
}

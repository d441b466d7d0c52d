/** Sent and scheduled emails, newest first; an email opens with the timeline of each recipient. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { EmailDrawer } from './email-drawer.tsx'
import { momentOf } from './moment-of.ts'
import { emailsQuery, type ListedEmail } from './queries.ts'
import { tones } from './tones.ts'
import { useEmailTexts } from './texts.ts'

export function EmailList() {
  const t = useEmailTexts()
  const [open, setOpen] = useState<ListedEmail | null>(null)
  const query = useInfiniteQuery(emailsQuery(useProjectScope()))
  return (
    <div className="pt-6">
      <Card flush>
        <ListTable
          query={query}
          label={t('emails')}
          more={t('more')}
          columns={useColumns(setOpen)}
          icon={<Mail aria-hidden="true" />}
          empty={{ title: t('no_emails'), about: t('no_emails_about') }}
          onOpen={(row) => setOpen(row)}
        />
      </Card>
      <EmailDrawer email={open} onClose={() => setOpen(null)} />
    </div>
  )
}

function useColumns(onOpen: (row: ListedEmail) => void): Column<ListedEmail>[] {
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
}

/** Text messages: figures, a chart by status, and the list of all messages. */
import { useQuery } from '@tanstack/react-query'
import { MessageSquarePlus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Compose } from './compose.tsx'
import { MessageList } from './message-list.tsx'
import { hasMessages, MessageFigures, MessagesChart } from './messages-figures.tsx'
import { overviewQuery } from './queries.ts'
import { useMessageTexts } from './texts.ts'

export function Page() {
  const t = useMessageTexts()
  const scope = useProjectScope()
  const query = useQuery(overviewQuery(scope))
  /** The recipient of a new message; null while none is written. */
  const [recipient, setRecipient] = useState<string | null>(null)
  const write = scope.may('member') && (
    <Button kind="primary" onClick={() => setRecipient('')}>
      <MessageSquarePlus aria-hidden="true" />
      {t('compose')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={write} />
      <div className="flex flex-col gap-6">
        <QueryState query={query}>
          {(overview) => (
            <>
              <MessageFigures overview={overview} />
              {hasMessages(overview) && (
                <Card title={t('chart')}>
                  <MessagesChart overview={overview} />
                </Card>
              )}
              {recipient !== null && (
                <Compose to={recipient} overview={overview} onClose={() => setRecipient(null)} />
              )}
            </>
          )}
        </QueryState>
        <Card title={t('list')} flush>
          <MessageList action={write} onReply={setRecipient} />
        </Card>
      </div>
    </>
  )
}

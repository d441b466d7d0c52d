/** Where alerts are sent, and whether the last one arrived. */
import type { ReactNode } from 'react'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import type { Alerts } from './queries.ts'
import { useAlertTexts } from './texts.ts'

export function Channels({ alerts: { mail, webhook } }: { alerts: Alerts }) {
  const t = useAlertTexts()
  const nobody = t(mail.enabled ? 'mail_nobody' : 'mail_off')
  return (
    <Card title={t('sent_to')}>
      <Facts
        facts={[
          [
            t('mail'),
            mail.addresses.length > 0 ? (
              <Channel key="mail" result={mail}>
                {mail.addresses.join(', ')}
              </Channel>
            ) : (
              nobody
            ),
          ],
          [
            t('webhook'),
            webhook.host === null ? (
              t('webhook_none')
            ) : (
              <Channel key="webhook" result={webhook}>
                {webhook.host}
              </Channel>
            ),
          ],
        ]}
      />
    </Card>
  )
}

interface ChannelProps {
  result: Pick<Alerts['mail'], 'delivered_at' | 'failed_at' | 'error'>
  children: ReactNode
}

function Channel({ result: { delivered_at, failed_at, error }, children }: ChannelProps) {
  const t = useAlertTexts()
  const at = error === null ? delivered_at : failed_at
  return (
    <>
      <p className="wrap-anywhere">{children}</p>
      {at === null ? (
        <p className="text-sm text-faint">{t('undelivered')}</p>
      ) : (
        <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
          <Badge tone={error === null ? 'good' : 'bad'}>
            {t(error === null ? 'delivered' : 'failed')}
          </Badge>
          <Moment at={at} />
          {error !== null && <span className="text-bad wrap-anywhere">{error}</span>}
        </p>
      )}
    </>
  )
}

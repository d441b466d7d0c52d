/** What the webhook of alerts receives. */
import type { AlertWords } from '../texts/alert-texts.ts'
import type { Notice } from '../evaluate.ts'
import type { AlertRow } from '../store.ts'

export interface WebhookBody {
  type: `alert.${Notice['event'] | 'test'}`
  timestamp: string
  /** One sentence, which chat programs show. */
  text: string
  data: Record<string, string | null>
}

export interface Described extends AlertWords {
  /** The page to look at. */
  link: string
  installation: string
}

export function alertBody({ event, alert }: Notice, described: Described, now: Date): WebhookBody {
  const { title, about, advice, link, installation } = described
  return {
    type: `alert.${event}`,
    timestamp: now.toISOString(),
    text: `${event === 'resolved' ? 'Resolved: ' : ''}${title}. ${event === 'resolved' ? '' : about}`.trim(),
    data: {
      alert_id: alert.id,
      kind: alert.kind,
      subject: alert.subject,
      state: alert.state,
      title,
      about,
      advice,
      link,
      installation,
      since: alert.began_at.toISOString(),
      resolved_at: writeTime(alert, 'resolved_at'),
    },
  }
}

function writeTime(alert: AlertRow, name: 'resolved_at'): string | null {
  return alert[name]?.toISOString() ?? null
}

export function testBody(installation: string, now: Date): WebhookBody {
  return {
    type: 'alert.test',
    timestamp: now.toISOString(),
    text: `Test alert of ${installation}.`,
    data: { installation },
  }
}

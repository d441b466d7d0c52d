/** Alerts with what was found, what to do, and a link to the cause. */
import { TriangleAlert } from 'lucide-react'
import { useLanguage } from '../../../language/texts.ts'
import { cx } from '../../../ui/class-names.ts'
import { Moment } from '../../../ui/display/moment.tsx'
import type { Alert } from './queries.ts'
import { useAlertTexts } from './texts.ts'

const tones = { bad: 'text-bad', warn: 'text-warn' } as const

export interface AlertListProps {
  alerts: readonly Alert[]
  tone: keyof typeof tones
}

export function AlertList({ alerts, tone }: AlertListProps) {
  return (
    <ul className="divide-y divide-line border-t border-line">
      {alerts.map((alert) => (
        <AlertItem key={alert.id} alert={alert} tone={tone} />
      ))}
    </ul>
  )
}

function AlertItem({ alert, tone }: { alert: Alert; tone: AlertListProps['tone'] }) {
  const t = useAlertTexts()
  const language = useLanguage()
  const { texts, since, sent_at, link } = alert
  const { title, about, advice } = texts[language]
  return (
    <li className="flex items-start gap-4 px-5 py-4">
      <TriangleAlert className={cx('mt-0.5 size-5 shrink-0', tones[tone])} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <h3 className="font-medium">{title}</h3>
        <p className="wrap-anywhere">{about}</p>
        <p className="mt-1 max-w-3xl text-muted">{advice}</p>
        <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <a href={link} className="font-medium underline">
            {link.includes('/docs/') ? t('guide') : t('look')}
          </a>
          <span className="text-faint">
            {t('since')} <Moment at={since} />
            {sent_at !== null && (
              <>
                , {t('last_sent')} <Moment at={sent_at} />
              </>
            )}
          </span>
        </p>
      </div>
    </li>
  )
}

/** One email: its recipients, what happened to each, and its texts. */
import { ConfirmedAct } from '../../api/confirmed-act.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Loaded } from '../../api/query-state.tsx'
import { translateMessage } from '../../language/server-texts/translate.ts'
import { useLanguage } from '../../language/texts.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { momentOf } from './moment-of.ts'
import { Preview } from './preview.tsx'
import { cancelEmail, emailKey, emailQuery, type Email, type ListedEmail } from './queries.ts'
import { useEmailTexts } from './texts.ts'
import { tones } from './tones.ts'

export interface EmailDrawerProps {
  email: ListedEmail | null
  onClose(): void
}

export function EmailDrawer({ email, onClose }: EmailDrawerProps) {
  const scope = useProjectScope()
  return (
    <RecordDrawer record={email} onClose={onClose} title={({ subject }) => subject}>
      {({ id }) => (
        <Loaded query={emailQuery(scope, id)}>{(email) => <Whole email={email} />}</Loaded>
      )}
    </RecordDrawer>
  )
}

function Whole({ email }: { email: Email }) {
  const t = useEmailTexts()
  const { attachments } = email
  return (
    <>
      <Facts
        facts={[
          [t('state'), <Badge tone={tones[email.status]}>{t(email.status)}</Badge>],
          [t('from'), email.from],
          [t('when'), <Moment at={momentOf(email)} />],
          ...(attachments.length > 0
            ? [[t('attachments'), attachments.map(({ filename }) => filename).join(', ')] as const]
            : []),
        ]}
      />
      {email.status === 'scheduled' && <Cancel id={email.id} />}
      <section>
        <h3 className="mb-2 font-semibold">{t('recipients')}</h3>
        <ul className="flex flex-col gap-4">
          {email.recipients.map((recipient) => (
            <Recipient key={recipient.address} recipient={recipient} events={email.events} />
          ))}
        </ul>
      </section>
      <Preview html={email.html} text={email.text} />
    </>
  )
}

interface RecipientProps {
  recipient: Email['recipients'][number]
  events: Email['events']
}

function Recipient({ recipient, events }: RecipientProps) {
  const t = useEmailTexts()
  const language = useLanguage()
  const { address, field, status, reason, next_attempt_at } = recipient
  const own = events.filter((event) => event.recipient === address)
  return (
    <li className="rounded-lg border border-line p-3">
      <p className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 flex-1 font-medium break-all">{address}</span>
        <Badge tone={tones[status]}>{t(status)}</Badge>
      </p>
      {field !== 'to' && <p className="text-sm text-muted">{t(`copy_${field}`)}</p>}
      {reason !== null && (
        <p className="mt-1 text-sm text-muted">{translateMessage(reason, language)}</p>
      )}
      <ol className="mt-2 flex flex-col gap-1 text-sm" aria-label={t('timeline')}>
        {own.map(({ type, occurred_at }) => (
          <li key={`${type} ${occurred_at}`} className="flex justify-between gap-4">
            <span>{t(type)}</span>
            <span className="text-muted">
              <Moment at={occurred_at} />
            </span>
          </li>
        ))}
        {status === 'delayed' && next_attempt_at !== null && (
          <li className="flex justify-between gap-4 text-muted">
            <span>{t('queued')}</span>
            <Moment at={next_attempt_at} />
          </li>
        )}
      </ol>
    </li>
  )
}

function Cancel({ id }: { id: string }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  return (
    <ConfirmedAct
      text={t('cancel')}
      title={t('cancel_title')}
      about={t('cancel_about')}
      run={() => cancelEmail(scope, id)}
      done={t('cancel_done')}
      refresh={[emailKey(scope)]}
    />
  )
}

/** One sending domain: its records with buttons to copy them, and a check now. */
import { RefreshCw } from 'lucide-react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { deleteDomain, emailKey, rotateKey, verifyDomain, type SendingDomain } from '../queries.ts'
import { useEmailTexts } from '../texts.ts'
import { LogoButton } from './logo-dialog.tsx'

const tones: Readonly<Record<SendingDomain['status'], Tone>> = {
  pending: 'info',
  verified: 'good',
  temporary_failure: 'warn',
  failed: 'bad',
}

type DomainRecord = SendingDomain['records'][number]

const recordTones: Readonly<Record<DomainRecord['status'], Tone>> = {
  pending: 'neutral',
  verified: 'good',
  missing: 'warn',
  invalid: 'bad',
  temporary_failure: 'warn',
}

export function DomainCard({ domain }: { domain: SendingDomain }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const check = useAct({
    run: () => verifyDomain(scope, domain.id),
    done: t('checked'),
    refresh: [emailKey(scope)],
  })
  const { last_checked_at } = domain
  const aside = scope.may('member') && (
    <Button size="sm" busy={check.isPending} onClick={() => check.mutate(undefined)}>
      <RefreshCw aria-hidden="true" />
      {t('check_now')}
    </Button>
  )
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {domain.domain} <Badge tone={tones[domain.status]}>{t(domain.status)}</Badge>
        </span>
      }
      about={
        <>
          {t('checked_at')}:{' '}
          {last_checked_at === null ? t('never') : <Moment at={last_checked_at} />}
        </>
      }
      aside={aside}
    >
      {domain.status !== 'verified' && (
        <p className="mb-4 text-muted">{t('wizard', { domain: domain.domain })}</p>
      )}
      <ul className="flex flex-col gap-4">
        {domain.records.map((record) => (
          <RecordRow key={record.name} record={record} />
        ))}
      </ul>
      {scope.may('member') && <DomainActs domain={domain} />}
    </Card>
  )
}

function RecordRow({ record }: { record: DomainRecord }) {
  const t = useEmailTexts()
  const language = useLanguage()
  const { purpose, type, name, value, required, status, message } = record
  return (
    <li className="rounded-lg border border-line p-4">
      <p className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{t(`record_${purpose}`)}</span>
        <Badge>{type}</Badge>
        {!required && <span className="text-sm text-muted">{t('recommended')}</span>}
        <span className="ml-auto">
          <Badge tone={recordTones[status]}>{t(`record_${status}`)}</Badge>
        </span>
      </p>
      {status !== 'pending' && (
        <p className="mt-1 text-sm text-muted">{translateMessage(message, language)}</p>
      )}
      <Copied label={t('name')} text={name} />
      <Copied label={t('value')} text={value} />
    </li>
  )
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <p className="mt-2 flex items-center gap-2">
      <span className="w-16 shrink-0 text-sm text-muted">{label}</span>
      <code className="min-w-0 flex-1 truncate font-mono text-sm" title={text}>
        {text}
      </code>
      <CopyButton text={text} />
    </p>
  )
}

function DomainActs({ domain }: { domain: SendingDomain }) {
  const t = useEmailTexts()
  const scope = useProjectScope()
  const refresh = [emailKey(scope)]
  const rotate = useAct({
    run: () => rotateKey(scope, domain.id),
    done: t('rotate_done'),
    refresh,
  })
  return (
    <div className="mt-4 flex flex-wrap items-center gap-2">
      {domain.status === 'verified' && domain.dkim.next_selector === null && (
        <Button
          kind="ghost"
          size="sm"
          busy={rotate.isPending}
          onClick={() => rotate.mutate(undefined)}
        >
          {t('rotate')}
        </Button>
      )}
      <LogoButton domain={domain} />
      <ConfirmedAct
        text={t('delete_domain')}
        title={t('delete_domain_title')}
        about={t('delete_domain_about')}
        run={() => deleteDomain(scope, domain.id)}
        done={t('domain_deleted')}
        refresh={refresh}
      />
    </div>
  )
}

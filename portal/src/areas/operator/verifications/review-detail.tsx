/** One verification: the company, the documents, the declaration and the decision. */
import { Download } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { Loaded } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Textarea } from '../../../ui/forms/input.tsx'
import { useVerificationTexts } from '../../verification/texts.ts'
import { operatorKey } from '../queries.ts'
import { decide, detailQuery, saveDocument, type Decision, type Detail } from './queries.ts'
import { useVerificationsTexts } from './texts.ts'

export interface ReviewDetailProps {
  id: string
  onDone(): void
}

export function ReviewDetail({ id, onDone }: ReviewDetailProps) {
  return (
    <Loaded query={detailQuery(id)}>
      {(detail) => <Review detail={detail} onDone={onDone} />}
    </Loaded>
  )
}

function Review({ detail, onDone }: { detail: Detail; onDone(): void }) {
  const t = useVerificationsTexts()
  const { reason, status } = detail
  return (
    <>
      <Company detail={detail} />
      {detail.documents.length > 0 && <Documents detail={detail} />}
      {detail.declaration !== null && <Declaration declaration={detail.declaration} />}
      {reason !== null && (
        <Section title={t('reason')}>
          <p className="break-words">{reason}</p>
        </Section>
      )}
      {status === 'pending' && <DecisionForm detail={detail} onDone={onDone} />}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function Facts({ facts }: { facts: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 break-words">{value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

function Company({ detail: { company } }: { detail: Detail }) {
  const t = useVerificationsTexts()
  return (
    <Section title={t('company')}>
      <Facts
        facts={[
          [t('account_type'), t(company.account_type)],
          [t('owner'), company.owner_email],
          [t('name'), company.company_name],
          [t('number'), company.register_number],
          [t('address'), company.address],
          [t('contact'), company.contact],
        ]}
      />
    </Section>
  )
}

function Documents({ detail: { documents } }: { detail: Detail }) {
  const t = useVerificationsTexts()
  const kinds = useVerificationTexts()
  return (
    <Section title={t('documents')}>
      <ul className="flex flex-col gap-2">
        {documents.map(({ id, kind, filename, refused }) => (
          <li
            key={id}
            className="flex flex-wrap items-center gap-3 rounded-lg border border-line px-3 py-2"
          >
            <span className="min-w-0 flex-1">
              <span className="block font-medium">{kinds(kind)}</span>
              <span className="block truncate text-sm text-muted">{filename}</span>
            </span>
            {refused && <Badge tone="bad">{t('replaced')}</Badge>}
            <SaveButton id={id} kind={kinds(kind)} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function SaveButton({ id, kind }: { id: string; kind: string }) {
  const t = useVerificationsTexts()
  const act = useAct({ run: () => saveDocument(id) })
  return (
    <Button
      size="sm"
      busy={act.isPending}
      onClick={() => act.mutate(undefined)}
      aria-label={`${t('download')}: ${kind}`}
    >
      <Download aria-hidden="true" /> {t('download')}
    </Button>
  )
}

function Declaration({ declaration }: { declaration: NonNullable<Detail['declaration']> }) {
  const t = useVerificationsTexts()
  const { director, owners, signature } = declaration
  return (
    <Section title={t('declaration')}>
      <Facts
        facts={[
          [t('director'), `${director.name}, ${director.birth_date}`],
          ...owners.map(
            ({ name, birth_date, share_percent }) =>
              [`${share_percent} %`, `${name}, ${birth_date}`] as const,
          ),
        ]}
      />
      {owners.length === 0 && <p className="mt-1 text-sm">{t('no_owners')}</p>}
      <p className="mt-2 font-serif italic">{t('signed', { name: signature })}</p>
    </Section>
  )
}

function DecisionForm({ detail, onDone }: { detail: Detail; onDone(): void }) {
  const t = useVerificationsTexts()
  const [reason, setReason] = useState('')
  const [again, setAgain] = useState<readonly string[]>(detail.can_ask_for)
  const act = useAct({
    run: (decision: Decision) => decide(detail.id, decision),
    done: t('decided'),
    refresh: [operatorKey],
    onDone,
  })
  return (
    <section className="rounded-lg border border-line p-4">
      <h3 className="mb-3 font-semibold">{t('decision')}</h3>
      <Field label={t('reason')} hint={t('reason_hint')}>
        <Textarea
          value={reason}
          maxLength={500}
          onChange={({ target }) => setReason(target.value)}
        />
      </Field>
      {detail.can_ask_for.length > 0 && (
        <AskAgain codes={detail.can_ask_for} chosen={again} onChange={setAgain} />
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={act.isPending}
          onClick={() => act.mutate({ decision: 'approved' })}
        >
          {t('approve')}
        </Button>
        <Button
          busy={act.isPending}
          disabled={reason.trim() === ''}
          onClick={() => act.mutate({ decision: 'rejected', reason, ask_again: [...again] })}
        >
          {t('reject')}
        </Button>
      </div>
    </section>
  )
}

interface AskAgainProps {
  codes: readonly string[]
  chosen: readonly string[]
  onChange(codes: readonly string[]): void
}

function AskAgain({ codes, chosen, onChange }: AskAgainProps) {
  const t = useVerificationsTexts()
  const kinds = useVerificationTexts()
  const nameOf = (code: string) => {
    const key = code === 'ubo_confirmation' ? 'declaration' : code.replace('document.', '')
    return isText(key) ? kinds(key) : code
  }
  return (
    <fieldset className="mt-4 flex flex-col gap-1.5">
      <legend className="mb-1 text-sm font-medium">{t('ask_again')}</legend>
      {codes.map((code) => (
        <label key={code} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(code)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, code] : chosen.filter((one) => one !== code))
            }
          />
          {nameOf(code)}
        </label>
      ))}
    </fieldset>
  )
}

function isText(key: string): key is keyof (typeof useVerificationTexts)['table'] {
  return Object.hasOwn(useVerificationTexts.table, key)
}

/** The personal data of the project: what is stored, how long it is kept, and how to change that. */
import { useQuery, queryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { ButtonLink } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { AlertDialog } from '../../ui/overlays/alert-dialog.tsx'
import { OnePerson } from './person/one-person.tsx'
import { usePrivacyTexts } from './texts.ts'

export function Page() {
  const t = usePrivacyTexts()
  const scope = useProjectScope()
  const retention = useQuery(retentionQuery(scope))
  return (
    <div className="mx-auto max-w-3xl">
      <PageHeader title={t('title')} about={t('about')} />
      <div className="mb-6">
        <OnePerson />
      </div>
      <QueryState query={retention}>
        {({ kinds, recipients }) => (
          <div className="flex flex-col gap-6">
            <Kinds
              title={t('chosen')}
              about={scope.may('admin') ? t('chosen_about') : t('chosen_by_admins')}
              kinds={kinds.filter((kind) => kind.chosen_by_project)}
            />
            <Kinds
              title={t('fixed')}
              about={t('fixed_about')}
              kinds={kinds.filter((kind) => !kind.chosen_by_project)}
            />
            <Recipients recipients={recipients} />
          </div>
        )}
      </QueryState>
    </div>
  )
}

function Recipients({ recipients }: { recipients: readonly Recipient[] }) {
  const t = usePrivacyTexts()
  const scope = useProjectScope()
  const aside = (
    <ButtonLink size="sm" to={scope.link('/webhooks')}>
      {t('webhooks')}
    </ButtonLink>
  )
  return (
    <Card
      title={t('outside')}
      about={t('outside_about')}
      aside={scope.may('member') && aside}
      flush
    >
      {recipients.length === 0 ? (
        <p className="border-t border-line px-5 py-4 text-muted">{t('outside_none')}</p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {recipients.map(({ purpose, provider }) => (
            <li key={purpose} className="px-5 py-4">
              <h3 className="font-medium">
                {t(`for_${purpose}`)} <span className="font-normal text-muted">· {provider}</span>
              </h3>
              <p className="text-sm text-muted">{t(`for_${purpose}_about`)}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

interface KindsProps {
  title: string
  about: string
  kinds: readonly KeptData[]
}

function Kinds({ title, about, kinds }: KindsProps) {
  const t = usePrivacyTexts()
  const scope = useProjectScope()
  const [shorter, setShorter] = useState<{ kind: KeptData; days: number } | null>(null)
  const act = useAct({
    run: (choices: RetentionChoices) => putRetention(scope, choices),
    done: t('saved'),
    refresh: [retentionKey(scope)],
  })
  const save = (kind: KeptData, days: number | null) => {
    const current = kinds.map((one) => [one.kind, one.kind === kind.kind ? days : one.days])
    act.mutate(Object.fromEntries(current))
  }
  const choose = (kind: KeptData, days: number | null) => {
    if (days !== null && days < (kind.days ?? Infinity)) setShorter({ kind, days })
    else save(kind, days)
  }
  return (
    <Card title={title} about={about} flush>
      <ul className="divide-y divide-line border-t border-line">
        {kinds.map((kind) => (
          <li key={kind.kind} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-5 py-4">
            <div className="min-w-56 flex-1">
              <h3 className="font-medium">{t(kind.kind)}</h3>
              <p className="text-sm text-muted">{t(`${kind.kind}_about`)}</p>
            </div>
            <Days kind={kind} onChoose={(days) => choose(kind, days)} />
          </li>
        ))}
      </ul>
      <AlertDialog
        open={shorter !== null}
        onOpenChange={() => setShorter(null)}
        title={t('shorter')}
        about={
          shorter === null
            ? ''
            : t('shorter_about', { title: t(shorter.kind.kind), count: shorter.days })
        }
        action={t('shorter_action')}
        busy={act.isPending}
        onConfirm={() => {
          if (shorter) save(shorter.kind, shorter.days)
          setShorter(null)
        }}
      />
    </Card>
  )
}

const CHOICES = [1, 3, 7, 30, 90, 180, 365, 730, 1825, 3650]
const FOR_EVER = 'for_ever'

function Days({ kind, onChoose }: { kind: KeptData; onChoose(days: number | null): void }) {
  const t = usePrivacyTexts()
  const { may } = useProjectScope()
  const { days, days_max, default_days } = kind
  const textOf = (count: number | null) =>
    count === null ? t('until_deleted') : t('days', { count })
  if (!kind.chosen_by_project || !may('admin'))
    return <p className="text-sm text-muted tabular-nums">{textOf(days)}</p>
  const offered = CHOICES.filter((choice) => choice <= (days_max ?? Infinity) && choice !== days)
  const counts = days === null ? offered : [...offered, days].toSorted((one, two) => one - two)
  const choices = counts.map((count) => ({
    value: String(count),
    text: textOf(count),
    ...(count === default_days && { hint: t('default') }),
  }))
  const for_ever = days_max === null ? [{ value: FOR_EVER, text: textOf(null) }] : []
  return (
    <div className="w-full sm:w-52">
      <Select
        label={t('keep', { title: t(kind.kind) })}
        value={days === null ? FOR_EVER : String(days)}
        choices={[...choices, ...for_ever]}
        onChange={(value) => onChoose(value === FOR_EVER ? null : Number(value))}
      />
    </div>
  )
}

type KeptData = Schemas['KeptData']

type Recipient = Schemas['Retention']['recipients'][number]

type RetentionChoices = Schemas['RetentionInput']

/** How long personal data is kept. */
function retentionKey({ project_id, mode }: Scope) {
  return ['retention', project_id, mode] as const
}

function retentionQuery(scope: Scope) {
  return queryOptions({
    queryKey: retentionKey(scope),
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/retention', { params: inProject(scope), signal })),
  })
}

/** Kinds that are left out get their default. */
function putRetention(scope: Scope, body: RetentionChoices) {
  return read(api.PUT('/projects/{project_id}/retention', { params: inProject(scope), body }))
}

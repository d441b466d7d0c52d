/** Reviews of sites and the appeals of their owners. */
import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useAct } from '../../api/mutations.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { Field } from '../../ui/forms/field.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { RecordDrawer } from '../../ui/overlays/drawer.tsx'
import { decide, operatorKey, reviewsQuery, type Decision, type Review } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

export function Page() {
  const t = useOperatorTexts()
  const [shown, setShown] = useState<'open' | 'all'>('open')
  const [chosen, setChosen] = useState<Review | null>(null)
  const query = useQuery(reviewsQuery(shown === 'open'))
  return (
    <>
      <PageHeader title={t('reviews')} about={t('reviews_about')} />
      <Card flush>
        <div className="w-52 px-5 pt-2 pb-4">
          <Select
            label={t('filter')}
            value={shown}
            onChange={setShown}
            choices={[
              { value: 'open', text: t('open_reviews') },
              { value: 'all', text: t('all_reviews') },
            ]}
          />
        </div>
        <ListTable
          query={query}
          label={t('reviews')}
          columns={useColumns(setChosen)}
          icon={<Scale aria-hidden="true" />}
          empty={{ title: t('no_reviews'), about: t('no_reviews_about') }}
          onOpen={(row) => setChosen(row)}
        />
      </Card>
      <RecordDrawer record={chosen} onClose={() => setChosen(null)} title={({ slug }) => slug}>
        {(review) => <ReviewDetail review={review} onDone={() => setChosen(null)} />}
      </RecordDrawer>
    </>
  )
}

function useColumns(onOpen: (review: Review) => void): Column<Review>[] {
  const t = useOperatorTexts()
  return [
    {
      id: 'site',
      title: t('site'),
      cell: (row) => (
        <button type="button" onClick={() => onOpen(row)} className="group text-left">
          <span className="block font-medium group-hover:text-accent">{row.slug}</span>
          <span className="block text-sm text-muted">{row.project_name}</span>
        </button>
      ),
    },
    { id: 'state', title: t('state'), cell: (row) => <StateBadge review={row} /> },
    {
      id: 'when',
      title: t('when'),
      align: 'right',
      from: 'sm',
      cell: ({ appealed_at, created_at }) => <Moment at={appealed_at ?? created_at} />,
    },
  ]
}

function StateBadge({ review: { decision, appeal } }: { review: Review }) {
  const t = useOperatorTexts()
  if (decision !== null)
    return <Badge tone={decision === 'allowed' ? 'good' : 'neutral'}>{t(decision)}</Badge>
  return appeal === null ? <Badge>{t('no_appeal')}</Badge> : <Badge tone="warn">{t('open')}</Badge>
}

function ReviewDetail({ review, onDone }: { review: Review; onDone(): void }) {
  const t = useOperatorTexts()
  const { findings, appeal, decision_note } = review
  return (
    <>
      <div className="flex items-center gap-3">
        <StateBadge review={review} />
        <span className="text-muted">{review.project_name}</span>
      </div>
      <section>
        <h3 className="mb-2 font-semibold">{t('findings')}</h3>
        <ul className="flex flex-col gap-2">
          {findings.map(({ rule, path, line, what }) => (
            <li key={`${rule} ${path} ${line}`} className="rounded-lg border border-line px-3 py-2">
              <p className="break-words">{what}</p>
              {path !== '' && (
                <code className="font-mono text-xs break-all text-muted">
                  {path}
                  {line !== null && `:${line}`}
                </code>
              )}
            </li>
          ))}
        </ul>
      </section>
      {appeal !== null && (
        <section>
          <h3 className="mb-2 font-semibold">{t('appeal')}</h3>
          <p className="break-words whitespace-pre-wrap">{appeal}</p>
        </section>
      )}
      {decision_note !== null && (
        <section>
          <h3 className="mb-2 font-semibold">{t('note')}</h3>
          <p className="break-words">{decision_note}</p>
        </section>
      )}
      <DecisionForm review={review} onDone={onDone} />
    </>
  )
}

function DecisionForm({ review, onDone }: { review: Review; onDone(): void }) {
  const t = useOperatorTexts()
  const [note, setNote] = useState('')
  const act = useAct({
    run: (decision: Decision['decision']) => decide(review.id, { decision, note }),
    done: t('decided'),
    refresh: [operatorKey],
    onDone,
  })
  return (
    <section className="rounded-lg border border-line p-4">
      <h3 className="mb-3 font-semibold">{t('decision')}</h3>
      <Field label={t('note')}>
        <Input value={note} maxLength={500} onChange={({ target }) => setNote(target.value)} />
      </Field>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind="primary" busy={act.isPending} onClick={() => act.mutate('allowed')}>
          {t('allow')}
        </Button>
        <Button busy={act.isPending} onClick={() => act.mutate('upheld')}>
          {t('uphold')}
        </Button>
      </div>
    </section>
  )
}

/** The order of a number: a free one for tests, or a real one with its price and what it needs. */
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useQuery } from '@tanstack/react-query'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { termsQuery, type NumbersOverview } from '../queries.ts'
import { useNumberTexts } from '../texts.ts'
import { RealNumber, type Terms } from './real-number.tsx'
import { TestNumberButton } from './test-number-button.tsx'

export interface OrderDialogProps {
  open: boolean
  onOpenChange(open: boolean): void
  overview: NumbersOverview
}

export function OrderDialog({ open, onOpenChange, overview }: OrderDialogProps) {
  const t = useNumberTexts()
  const scope = useProjectScope()
  const query = useQuery({ ...termsQuery(scope), enabled: open })
  return (
    <Dialog open={open} onClose={() => onOpenChange(false)} title={t('dialog_title')} wide>
      <QueryState query={query}>
        {(terms) => <Choice terms={terms} overview={overview} onDone={() => onOpenChange(false)} />}
      </QueryState>
    </Dialog>
  )
}

interface ChoiceProps {
  terms: Terms
  overview: NumbersOverview
  onDone(): void
}

function Choice({ terms, overview, onDone }: ChoiceProps) {
  const t = useNumberTexts()
  const format = useFormat()
  const { project, mode } = useProjectScope()
  const mayTest = project.shape !== 'live'
  const [kind, setKind] = useState<'test' | 'live'>(mayTest && mode === 'test' ? 'test' : 'live')
  const { national, geographic } = terms
  const cheapest = Math.min(national.price_eur, geographic.price_eur)
  return (
    <div className="flex flex-col gap-6">
      <ChoiceCards
        legend={t('dialog_kind')}
        value={kind}
        onChange={setKind}
        choices={[
          {
            value: 'test',
            title: t('kind_test'),
            about: t('kind_test_about'),
            disabled: !mayTest,
          },
          {
            value: 'live',
            title: t('kind_live'),
            about: t('kind_live_about', { price: format.euro(cheapest) }),
          },
        ]}
      />
      {kind === 'test' ? (
        <TestNumber overview={overview} />
      ) : (
        <RealNumber terms={terms} onDone={onDone} />
      )}
    </div>
  )
}

function TestNumber({ overview: { data, test_numbers_max } }: { overview: NumbersOverview }) {
  const t = useNumberTexts()
  const isFull = data.filter(({ test }) => test).length >= test_numbers_max
  return (
    <>
      {isFull && <p className="text-muted">{t('test_full', { count: test_numbers_max })}</p>}
      <DialogButtons>
        <TestNumberButton kind="primary" label={t('get_test')} disabled={isFull} />
      </DialogButtons>
    </>
  )
}

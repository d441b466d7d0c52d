/** The order of a real number: its type, what is missing, a search, and the costs before the click. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { ChoiceCards } from '../../../ui/forms/choice-cards.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { DialogButtons } from '../../../ui/overlays/dialog.tsx'
import {
  availableQuery,
  numbersKey,
  orderNumber,
  type AvailableNumber,
  type NumberType,
} from '../queries.ts'
import { useNumberTexts } from '../texts.ts'
import { Blockers } from './blockers.tsx'

export type Terms = Schemas['NumberTerms']

export function RealNumber({ terms, onDone }: { terms: Terms; onDone(): void }) {
  const t = useNumberTexts()
  const format = useFormat()
  const [type, setType] = useState<NumberType>('national')
  const [area, setArea] = useState<string | null>(null)
  const { price_eur, blockers } = terms[type]
  const about = (one: NumberType) => t(`${one}_about`, { price: format.euro(terms[one].price_eur) })
  return (
    <>
      <ChoiceCards
        legend={t('type')}
        value={type}
        onChange={setType}
        choices={[
          { value: 'national', title: t('national'), about: about('national') },
          { value: 'geographic', title: t('geographic'), about: about('geographic') },
        ]}
      />
      {blockers.length > 0 ? (
        <Blockers blockers={blockers} />
      ) : (
        <>
          {type === 'geographic' && <AreaSearch onSearch={setArea} />}
          {(type === 'national' || area !== null) && (
            <Offers
              key={type === 'national' ? '' : area}
              area={type === 'national' ? null : area}
              price_eur={price_eur}
              onDone={onDone}
            />
          )}
        </>
      )}
    </>
  )
}

function AreaSearch({ onSearch }: { onSearch(area: string): void }) {
  const t = useNumberTexts()
  const [area, setArea] = useState('')
  const isArea = /^0?[1-9]\d{1,3}$/.test(area.trim())
  return (
    <form
      className="flex items-end gap-2"
      onSubmit={submit(() => {
        if (isArea) onSearch(area.trim())
      })}
    >
      <div className="flex-1">
        <Field label={t('area')} hint={t('area_hint')}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            placeholder="020"
            value={area}
            onChange={({ target }) => setArea(target.value)}
          />
        </Field>
      </div>
      <Button type="submit" disabled={!isArea} className="mb-6.5">
        <Search aria-hidden="true" />
        {t('search')}
      </Button>
    </form>
  )
}

interface OffersProps {
  area: string | null
  price_eur: number
  onDone(): void
}

function Offers({ area, price_eur, onDone }: OffersProps) {
  const t = useNumberTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const live = { project_id: scope.project_id, mode: 'live' } as const
  const query = useQuery(availableQuery(live, area))
  const [chosen, setChosen] = useState<string | null>(null)
  // Kept for a retry after a lost answer, which then orders no second number.
  const [idempotency_keys] = useState(() => new Map<string, string>())
  const act = useAct({
    run(e164: string) {
      const idempotency_key = idempotency_keys.get(e164) ?? crypto.randomUUID()
      idempotency_keys.set(e164, idempotency_key)
      return orderNumber(live, { e164, idempotency_key })
    },
    done: t('ordered'),
    refresh: [numbersKey(scope), ['balance', scope.project_id]],
    onDone({ id }) {
      onDone()
      void navigate({ to: scope.link(`/numbers/${id}`) })
    },
  })
  const price = format.euro(price_eur)
  return (
    <QueryState query={query}>
      {(numbers) => {
        const e164 = chosen ?? numbers[0]?.e164
        if (e164 === undefined) return <p className="text-muted">{t('none_available')}</p>
        return (
          <>
            <OfferList numbers={numbers} chosen={e164} onChoose={setChosen} />
            <p className="text-sm text-muted">{t('cost_now', { price })}</p>
            <DialogButtons>
              <Button kind="primary" busy={act.isPending} onClick={() => act.mutate(e164)}>
                {t('confirm_order', { number: e164 })}
              </Button>
            </DialogButtons>
          </>
        )
      }}
    </QueryState>
  )
}

interface OfferListProps {
  numbers: readonly AvailableNumber[]
  chosen: string
  onChoose(e164: string): void
}

function OfferList({ numbers, chosen, onChoose }: OfferListProps) {
  const t = useNumberTexts()
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t('choose')}</legend>
      <div className="max-h-60 divide-y divide-line overflow-y-auto rounded-lg border border-line-strong">
        {numbers.map(({ e164, from_stock }) => (
          <label
            key={e164}
            className="flex cursor-pointer items-center gap-3 px-3 py-2 hover:bg-hover has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name={name}
              checked={e164 === chosen}
              onChange={() => onChoose(e164)}
              className="size-4 accent-(--accent)"
            />
            <span className="flex-1 tabular-nums">{e164}</span>
            <Badge tone={from_stock ? 'good' : 'neutral'}>
              {t(from_stock ? 'in_stock' : 'from_carrier')}
            </Badge>
          </label>
        ))}
      </div>
      <p className="mt-1.5 text-sm text-muted">{t('reserved')}</p>
    </fieldset>
  )
}

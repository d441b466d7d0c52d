/** The closed days of the business, which the opening hours do not show. */
import { CalendarOff, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { CLOSURES_MAX, type Closure } from '../queries.ts'
import { useAssistantTexts } from '../texts.ts'
import { periodsOf, withoutPeriod, withPeriod, type ClosedPeriod } from './closures.ts'

export interface ClosedDaysProps {
  closures: readonly Closure[]
  onChange(closures: Closure[]): void
}

export function ClosedDays({ closures, onChange }: ClosedDaysProps) {
  const t = useAssistantTexts()
  const today = new Date().toISOString().slice(0, 10)
  const periods = periodsOf(closures)
  const past = periods.filter(({ to }) => to < today)
  return (
    <Card
      title={t('closures')}
      about={t('closures_about')}
      aside={
        past.length > 0 && (
          <Button
            size="sm"
            kind="ghost"
            onClick={() => onChange(closures.filter(({ date }) => date >= today))}
          >
            {t('closures_remove_past')}
          </Button>
        )
      }
    >
      {periods.length > 0 && (
        <ul
          aria-label={t('closures')}
          className="mb-5 divide-y divide-line rounded-lg border border-line"
        >
          {periods.map((period) => (
            <PeriodRow
              key={period.from}
              period={period}
              isPast={period.to < today}
              onRemove={() => onChange(withoutPeriod(closures, period))}
            />
          ))}
        </ul>
      )}
      <AddPeriod
        onAdd={(period) => onChange(withPeriod(closures, period, CLOSURES_MAX))}
        isFull={closures.length >= CLOSURES_MAX}
      />
    </Card>
  )
}

interface PeriodRowProps {
  period: ClosedPeriod
  isPast: boolean
  onRemove(): void
}

function PeriodRow({ period: { from, to, reason }, isPast, onRemove }: PeriodRowProps) {
  const t = useAssistantTexts()
  const format = useFormat()
  const shown = from === to ? format.date(from) : `${format.date(from)} – ${format.date(to)}`
  return (
    <li className={cx('flex items-center gap-3 py-1 pr-1 pl-3.5', isPast && 'text-muted')}>
      <CalendarOff className="size-4 shrink-0 text-faint" aria-hidden="true" />
      <span className="min-w-0 flex-1">
        <span className="font-medium tabular-nums">{shown}</span>
        {reason !== null && <span className="text-muted"> · {reason}</span>}
      </span>
      <Button
        kind="ghost"
        size="icon"
        aria-label={t('closure_remove', { date: shown })}
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </Button>
    </li>
  )
}

const empty = { from: '', to: '', reason: '' }

function AddPeriod({ onAdd, isFull }: { onAdd(period: ClosedPeriod): void; isFull: boolean }) {
  const t = useAssistantTexts()
  const [given, setGiven] = useState(empty)
  const { from, to, reason } = given
  const isWrong = to !== '' && to < from
  const change = (part: Partial<typeof empty>) => setGiven({ ...given, ...part })
  if (isFull)
    return <p className="text-sm text-muted">{t('closures_full', { max: CLOSURES_MAX })}</p>
  return (
    <form
      noValidate
      className="grid items-start gap-3 sm:grid-cols-[1fr_1fr_1.6fr_auto]"
      onSubmit={submit(() => {
        if (from === '' || isWrong) return
        onAdd({ from, to: to || from, reason: reason.trim() || null })
        setGiven(empty)
      })}
    >
      <Field label={t('closed_from')}>
        <Input type="date" value={from} onChange={({ target }) => change({ from: target.value })} />
      </Field>
      <Field label={t('closed_to')} optional fault={isWrong ? t('fault_period') : undefined}>
        <Input
          type="date"
          min={from}
          value={to}
          onChange={({ target }) => change({ to: target.value })}
        />
      </Field>
      <Field label={t('closed_reason')} optional>
        <Input
          maxLength={200}
          autoComplete="off"
          placeholder={t('closed_reason_example')}
          value={reason}
          onChange={({ target }) => change({ reason: target.value })}
        />
      </Field>
      <Button type="submit" className="sm:mt-6.5" disabled={from === '' || isWrong}>
        <Plus aria-hidden="true" />
        {t('closed_add')}
      </Button>
    </form>
  )
}

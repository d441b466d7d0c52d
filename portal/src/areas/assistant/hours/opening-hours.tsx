/** When the business is open: the week, the closed days and the time zone of both. */
import { Clock } from 'lucide-react'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { rangesOf, weekOf } from '../../../ui/forms/week/spans.ts'
import { WeekGrid } from '../../../ui/forms/week/week-grid.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import type { Settings } from '../queries.ts'
import { useAssistantTexts } from '../texts.ts'
import { ClosedDays } from './closed-days.tsx'
import { useHoursTexts, useWeekTexts } from './texts.ts'

export interface OpeningHoursProps {
  settings: Settings
  faultOf(path: string): string | undefined
  onChange(changes: Partial<Settings>): void
}

const office: Settings['opening_hours'] = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map(
  (day) => ({ day, from: '09:00', to: '17:00' }),
)

export function OpeningHours({ settings, faultOf, onChange }: OpeningHoursProps) {
  const t = useAssistantTexts()
  const words = useHoursTexts()
  const weekTexts = useWeekTexts()
  const { opening_hours, closures, timezone } = settings
  const fault = opening_hours.map((_, index) => faultOf(`/opening_hours/${index}/to`)).find(Boolean)
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={words('week')}
        about={words('week_about')}
        flush={opening_hours.length === 0}
        aside={
          opening_hours.length > 0 && (
            <Button size="sm" kind="ghost" onClick={() => onChange({ opening_hours: [] })}>
              {words('clear')}
            </Button>
          )
        }
      >
        {opening_hours.length === 0 ? (
          <EmptyState
            icon={<Clock aria-hidden="true" />}
            title={words('none')}
            about={words('none_about')}
            sentence={words('sentence')}
            action={
              <Button kind="primary" onClick={() => onChange({ opening_hours: office })}>
                {words('start')}
              </Button>
            }
          />
        ) : (
          <WeekGrid
            week={weekOf(opening_hours)}
            texts={weekTexts}
            onChange={(week) => onChange({ opening_hours: rangesOf(week) })}
          />
        )}
        {fault !== undefined && <p className="mt-3 text-sm text-bad">{fault}</p>}
      </Card>
      <ClosedDays closures={closures} onChange={(next) => onChange({ closures: next })} />
      <Card>
        <Field label={t('timezone')} hint={t('timezone_hint')} fault={faultOf('/timezone')}>
          <Input
            list="timezones"
            autoComplete="off"
            spellCheck={false}
            className="max-w-80"
            value={timezone}
            onChange={({ target }) => onChange({ timezone: target.value })}
          />
        </Field>
        <datalist id="timezones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </Card>
    </div>
  )
}

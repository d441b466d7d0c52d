/** The fields of the trigger: manual, a schedule, or an event. */
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useEventTexts, eventTypes } from '../../webhooks/texts.ts'
import type { Draft } from './draft.ts'
import { useBuilderTexts } from './texts.ts'

interface TriggerFieldsProps {
  draft: Draft
  onChange(draft: Draft): void
}

const types = ['event', 'schedule', 'manual', 'webhook'] as const

export function TriggerFields({ draft, onChange }: TriggerFieldsProps) {
  const t = useBuilderTexts()
  return (
    <>
      <Field label={t('trigger')}>
        <Select
          value={draft.type}
          onChange={(type) => onChange({ ...draft, type })}
          choices={types.map((value) => ({ value, text: t(value) }))}
        />
      </Field>
      {draft.type === 'event' && <EventFields draft={draft} onChange={onChange} />}
      {draft.type === 'schedule' && <ScheduleFields draft={draft} onChange={onChange} />}
    </>
  )
}

function EventFields({ draft, onChange }: TriggerFieldsProps) {
  const t = useBuilderTexts()
  const say = useEventTexts()
  return (
    <>
      <Field label={t('what_happens')}>
        <Select<string>
          value={draft.event}
          onChange={(event) => onChange({ ...draft, event })}
          choices={eventTypes.map((value) => ({ value, text: say(value), hint: value }))}
        />
      </Field>
      <Field label={t('filter')} hint={t('filter_hint')} optional>
        <Input
          className="font-mono"
          autoComplete="off"
          spellCheck={false}
          maxLength={2000}
          value={draft.filter}
          onChange={({ target }) => onChange({ ...draft, filter: target.value })}
        />
      </Field>
    </>
  )
}

const schedules = {
  daily: '0 8 * * *',
  workdays: '0 8 * * 1-5',
  weekly: '0 8 * * 1',
  hourly: '0 * * * *',
  custom: '',
} as const

const names = ['daily', 'workdays', 'weekly', 'hourly', 'custom'] as const

function ScheduleFields({ draft, onChange }: TriggerFieldsProps) {
  const t = useBuilderTexts()
  const known = names.find((name) => schedules[name] === draft.cron) ?? 'custom'
  return (
    <>
      <Field label={t('times')}>
        <Select
          value={known}
          onChange={(name) => onChange({ ...draft, cron: schedules[name] })}
          choices={names.map((value) => ({ value, text: t(value) }))}
        />
      </Field>
      {known === 'custom' && (
        <Field label={t('cron')} hint={t('cron_hint')}>
          <Input
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={draft.cron}
            onChange={({ target }) => onChange({ ...draft, cron: target.value })}
          />
        </Field>
      )}
      <Field label={t('timezone')}>
        <Input
          autoComplete="off"
          list="agent-timezones"
          value={draft.timezone}
          onChange={({ target }) => onChange({ ...draft, timezone: target.value })}
        />
      </Field>
      <datalist id="agent-timezones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

/** The form that corrects a published incident, or moves planned maintenance. No mail is sent. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { operatorKey } from '../queries.ts'
import { ComponentsField, ImpactField, TimeField, TitleField } from './incident-fields.tsx'
import { inputTime } from './input-time.ts'
import { changeIncident, type Incident, type IncidentChange } from './queries.ts'
import { incidentTexts } from './texts.ts'

export interface EditIncidentProps {
  incident: Incident
  onDone(): void
}

export function EditIncident({ incident, onDone }: EditIncidentProps) {
  const t = useTexts(incidentTexts)
  const [draft, setDraft] = useState(() => draftOf(incident))
  const act = useAct({
    run: () => changeIncident(incident.id, changeOf(incident, draft)),
    done: t('changed'),
    refresh: [operatorKey],
    onDone,
  })
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const times = timesOf(incident)
  return (
    <form
      className="flex flex-col gap-4 rounded-lg border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(undefined)
      }}
    >
      <h3 className="font-semibold">{t('edit')}</h3>
      <TitleField title={draft.title} onChange={(title) => change({ title })} />
      {incident.kind === 'incident' && (
        <ImpactField impact={draft.impact} onChange={(impact) => change({ impact })} />
      )}
      <ComponentsField
        values={draft.components}
        onChange={(components) => change({ components })}
      />
      {times.map((name) => (
        <TimeField
          key={name}
          name={name}
          value={draft[name]}
          onChange={(value) => change({ [name]: value })}
        />
      ))}
      <p className="text-sm text-muted">{t('edit_about')}</p>
      <div className="flex gap-2">
        <Button
          type="submit"
          kind="primary"
          busy={act.isPending}
          disabled={draft.title.trim() === ''}
        >
          {t('save')}
        </Button>
        <Button onClick={onDone}>{t('cancel')}</Button>
      </div>
    </form>
  )
}

interface Draft extends Pick<Incident, 'title' | 'impact' | 'components'> {
  starts_at: string
  ends_at: string
}

function draftOf({ title, impact, components, started_at, planned_until }: Incident): Draft {
  const starts_at = inputTime(started_at)
  const ends_at = planned_until === null ? '' : inputTime(planned_until)
  return { title, impact, components, starts_at, ends_at }
}

/** The planned times that can still be moved. */
function timesOf({ kind, state }: Incident): ('starts_at' | 'ends_at')[] {
  if (kind === 'incident' || state === 'completed') return []
  return state === 'scheduled' ? ['starts_at', 'ends_at'] : ['ends_at']
}

/** Only what differs, because a time of the past is refused even if it is the same. */
function changeOf(incident: Incident, draft: Draft): IncidentChange {
  const before = draftOf(incident)
  const moved = timesOf(incident).filter((name) => draft[name] !== before[name])
  return {
    title: draft.title.trim(),
    components: draft.components,
    ...(incident.kind === 'incident' && { impact: draft.impact }),
    ...Object.fromEntries(moved.map((name) => [name, new Date(draft[name]).toISOString()])),
  }
}

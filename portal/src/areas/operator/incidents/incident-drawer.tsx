/** One incident: its updates, a new update, and removing it. */
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { OperationForm } from '../../../api/operation-form.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { operatorKey } from '../queries.ts'
import { inputTime, useIncidentFields } from './incident-fields.ts'
import {
  changeIncident,
  deleteIncident,
  postUpdate,
  type Incident,
  type IncidentChange,
  type IncidentState,
  type NewUpdate,
} from './queries.ts'
import { StateBadge } from './state-badge.tsx'
import { useIncidentTexts } from './texts.ts'

/** An update that is prepared by a proposal. */
export interface Prepared {
  proposal_id: string
  message: string
}

export interface IncidentDrawerProps {
  incident: Incident | null
  prepared: Prepared | null
  onClose(): void
}

export function IncidentDrawer({ incident, prepared, onClose }: IncidentDrawerProps) {
  return (
    <RecordDrawer record={incident} onClose={onClose} title={({ title }) => title}>
      {(incident) => (
        <>
          <Known incident={incident} />
          <Edit key={incident.id} incident={incident} />
          {incident.state !== 'completed' && (
            <UpdateForm incident={incident} prepared={prepared} onDone={onClose} />
          )}
          <Updates incident={incident} />
          <Remove id={incident.id} onDone={onClose} />
        </>
      )}
    </RecordDrawer>
  )
}

/** Corrects what is published, or moves planned maintenance. No mail is sent. */
function Edit({ incident }: { incident: Incident }) {
  const t = useIncidentTexts()
  const [isOpen, setOpen] = useState(false)
  const before = {
    starts_at: inputTime(incident.started_at),
    ends_at: inputTime(incident.planned_until ?? incident.started_at),
  }
  const { title, impact, components, ...times } = useIncidentFields({ ...incident, ...before })
  if (!isOpen)
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        <Pencil aria-hidden="true" />
        {t('edit')}
      </Button>
    )
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <h3 className="font-semibold">{t('edit')}</h3>
      <OperationForm
        operation="incidents.change"
        fields={[
          title,
          components,
          ...(incident.kind === 'incident' ? [impact] : []),
          ...movable(incident).map((name) => times[name]),
        ]}
        action={t('save')}
        done={t('changed')}
        refresh={[operatorKey]}
        run={({ starts_at, ends_at, ...change }: IncidentChange) =>
          changeIncident(incident.id, {
            ...change,
            // A time of the past is refused even if it is the same.
            ...(isMoved(starts_at, before.starts_at) && { starts_at }),
            ...(isMoved(ends_at, before.ends_at) && { ends_at }),
          })
        }
        onClose={() => setOpen(false)}
        onDone={() => setOpen(false)}
      >
        {() => <p className="text-sm text-muted">{t('edit_about')}</p>}
      </OperationForm>
    </section>
  )
}

/** The planned times that can still be moved. */
function movable({ kind, state }: Incident): ('starts_at' | 'ends_at')[] {
  if (kind === 'incident' || state === 'completed') return []
  return state === 'scheduled' ? ['starts_at', 'ends_at'] : ['ends_at']
}

function isMoved(time: string | undefined, before: string): time is string {
  return time !== undefined && inputTime(time) !== before
}

function Known({ incident }: { incident: Incident }) {
  const t = useIncidentTexts()
  const format = useFormat()
  const { kind, impact, components, started_at, planned_until } = incident
  const names = components.map((id) => t(id)).join(', ')
  return (
    <Facts
      facts={[
        [t('state'), <StateBadge key="state" incident={incident} />],
        [t('impact'), kind === 'maintenance' ? t('maintenance') : t(`impact_${impact}`)],
        ...(names === '' ? [] : [[t('affects'), names] as const]),
        [t('began'), format.moment(started_at)],
        ...(planned_until === null
          ? []
          : [[t('planned_until'), format.moment(planned_until)] as const]),
      ]}
    />
  )
}

/** The states that may follow. Maintenance only goes forward. */
function nextStates({ kind, state }: Incident): IncidentState[] {
  if (kind === 'incident') return ['investigating', 'identified', 'monitoring', 'resolved']
  return state === 'scheduled'
    ? ['scheduled', 'in_progress', 'completed']
    : ['in_progress', 'completed']
}

interface UpdateFormProps {
  incident: Incident
  prepared: Prepared | null
  onDone(): void
}

function UpdateForm({ incident, prepared, onDone }: UpdateFormProps) {
  const t = useIncidentTexts()
  const { state, message } = useIncidentFields(
    { message: prepared?.message ?? '', state: prepared === null ? incident.state : 'resolved' },
    nextStates(incident),
  )
  return (
    <section className="flex flex-col gap-4 rounded-lg border border-line p-4">
      <h3 className="font-semibold">{t('new_update')}</h3>
      <OperationForm
        operation="incidents.post_update"
        fields={[{ ...state, label: t('new_state') }, message]}
        action={t('publish_update')}
        done={t('published')}
        refresh={[operatorKey]}
        run={(body: NewUpdate) =>
          postUpdate(incident.id, {
            ...body,
            ...(prepared !== null && { proposal_id: prepared.proposal_id }),
          })
        }
        onDone={onDone}
      />
    </section>
  )
}

function Updates({ incident: { updates } }: { incident: Incident }) {
  const t = useIncidentTexts()
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('updates')}</h3>
      <ol className="flex flex-col gap-3">
        {updates.map(({ id, state, message, posted_at }) => {
          const automatic = state === 'completed' ? 'automatic_completed' : 'automatic_in_progress'
          return (
            <li key={id}>
              <p className="flex flex-wrap items-baseline gap-x-3">
                <span className="font-medium">{t(state)}</span>
                <Moment at={posted_at} />
              </p>
              <p className="break-words whitespace-pre-line text-muted">
                {message ?? t(automatic)}
              </p>
            </li>
          )
        })}
      </ol>
    </section>
  )
}

function Remove({ id, onDone }: { id: string; onDone(): void }) {
  const t = useIncidentTexts()
  return (
    <ConfirmedAct
      title={t('remove_title')}
      about={t('remove_about')}
      text={t('remove')}
      run={() => deleteIncident(id)}
      done={t('removed')}
      refresh={[operatorKey]}
      onDone={onDone}
      button={(ask) => (
        <Button kind="ghost" className="self-start" onClick={ask}>
          {t('remove')}
        </Button>
      )}
    />
  )
}

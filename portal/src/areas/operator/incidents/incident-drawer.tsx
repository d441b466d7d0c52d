/** One incident: its updates, a new update, and removing it. */
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useFormat } from '../../../language/format.ts'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { RecordDrawer } from '../../../ui/overlays/drawer.tsx'
import { operatorKey } from '../queries.ts'
import { EditIncident } from './edit-incident.tsx'
import { MessageField, StateField } from './incident-fields.tsx'
import { deleteIncident, postUpdate, type Incident, type IncidentState } from './queries.ts'
import { StateBadge } from './state-badge.tsx'
import { incidentTexts } from './texts.ts'

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

function Edit({ incident }: { incident: Incident }) {
  const t = useTexts(incidentTexts)
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <EditIncident incident={incident} onDone={() => setOpen(false)} />
  return (
    <Button className="self-start" onClick={() => setOpen(true)}>
      <Pencil aria-hidden="true" />
      {t('edit')}
    </Button>
  )
}

function Known({ incident }: { incident: Incident }) {
  const t = useTexts(incidentTexts)
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
  const t = useTexts(incidentTexts)
  const [message, setMessage] = useState(prepared?.message ?? '')
  const [state, setState] = useState(prepared === null ? incident.state : 'resolved')
  const act = useAct({
    run: () =>
      postUpdate(incident.id, {
        state,
        message,
        ...(prepared !== null && { proposal_id: prepared.proposal_id }),
      }),
    done: t('published'),
    refresh: [operatorKey],
    onDone,
  })
  return (
    <form
      className="flex flex-col gap-4 rounded-lg border border-line p-4"
      onSubmit={(event) => {
        event.preventDefault()
        act.mutate(undefined)
      }}
    >
      <h3 className="font-semibold">{t('new_update')}</h3>
      <StateField
        label={t('new_state')}
        state={state}
        states={nextStates(incident)}
        onChange={setState}
      />
      <MessageField message={message} onChange={setMessage} />
      <Button
        type="submit"
        kind="primary"
        className="self-start"
        busy={act.isPending}
        disabled={message.trim() === ''}
      >
        {t('publish_update')}
      </Button>
    </form>
  )
}

function Updates({ incident: { updates } }: { incident: Incident }) {
  const t = useTexts(incidentTexts)
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
  const t = useTexts(incidentTexts)
  const [asked, setAsked] = useState(false)
  const act = useAct({
    run: () => deleteIncident(id),
    done: t('removed'),
    refresh: [operatorKey],
    onDone,
  })
  return (
    <>
      <Button kind="ghost" className="self-start" onClick={() => setAsked(true)}>
        {t('remove')}
      </Button>
      <AlertDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('remove_title')}
        about={t('remove_about')}
        action={t('remove')}
        busy={act.isPending}
        onConfirm={() => act.mutate(undefined)}
      />
    </>
  )
}

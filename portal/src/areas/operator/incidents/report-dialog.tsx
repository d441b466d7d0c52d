/** The dialogs that publish an incident, and that plan maintenance. */
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { operatorKey } from '../queries.ts'
import { ImpactField, StateField, TextFields, TimeField } from './incident-fields.tsx'
import { inputTime } from './input-time.ts'
import {
  planMaintenance,
  reportIncident,
  type IncidentText,
  type NewIncident,
  type NewMaintenance,
} from './queries.ts'
import { incidentTexts } from './texts.ts'

const HOUR_MS = 3_600_000
const states = ['investigating', 'identified', 'monitoring', 'resolved'] as const

export const emptyIncident: NewIncident = {
  title: '',
  message: '',
  components: [],
  impact: 'minor',
  state: 'investigating',
}

export interface ReportDialogProps {
  /** The first values; null if the dialog is closed. */
  first: NewIncident | null
  onClose(): void
}

export function ReportDialog({ first, onClose }: ReportDialogProps) {
  const t = useTexts(incidentTexts)
  return (
    <Dialog
      open={first !== null}
      onOpenChange={(open) => !open && onClose()}
      title={t('report')}
      about={t('about')}
    >
      {first !== null && <ReportForm first={first} onDone={onClose} />}
    </Dialog>
  )
}

function ReportForm({ first, onDone }: { first: NewIncident; onDone(): void }) {
  const t = useTexts(incidentTexts)
  const [value, setValue] = useState(first)
  const act = useAct({
    run: () => reportIncident({ ...value, title: value.title.trim() }),
    done: t('published'),
    refresh: [operatorKey],
    onDone,
  })
  const change = (part: Partial<NewIncident>) => setValue({ ...value, ...part })
  return (
    <IncidentForm value={value} onChange={change} busy={act.isPending} onSubmit={act.mutate}>
      <div className="grid gap-4 sm:grid-cols-2">
        <ImpactField impact={value.impact} onChange={(impact) => change({ impact })} />
        <StateField
          label={t('state')}
          state={value.state}
          states={states}
          onChange={(state) => change({ state })}
        />
      </div>
    </IncidentForm>
  )
}

interface IncidentFormProps {
  value: IncidentText
  busy: boolean
  onChange(value: IncidentText): void
  onSubmit(): void
  children: React.ReactNode
}

function IncidentForm({ value, busy, onChange, onSubmit, children }: IncidentFormProps) {
  const t = useTexts(incidentTexts)
  const isEmpty = value.title.trim() === '' || value.message.trim() === ''
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <TextFields value={value} onChange={onChange} />
      {children}
      <DialogButtons>
        <Button type="submit" kind="primary" busy={busy} disabled={isEmpty}>
          {t('publish')}
        </Button>
      </DialogButtons>
    </form>
  )
}

export function PlanDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useTexts(incidentTexts)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title={t('plan')}
      about={t('about')}
    >
      {open && <PlanForm onDone={onClose} />}
    </Dialog>
  )
}

function PlanForm({ onDone }: { onDone(): void }) {
  const t = useTexts(incidentTexts)
  const [value, setValue] = useState<NewMaintenance>(() => ({
    title: '',
    message: '',
    components: [],
    starts_at: localTime(24),
    ends_at: localTime(25),
  }))
  const act = useAct({
    run: () =>
      planMaintenance({
        ...value,
        title: value.title.trim(),
        starts_at: new Date(value.starts_at).toISOString(),
        ends_at: new Date(value.ends_at).toISOString(),
      }),
    done: t('published'),
    refresh: [operatorKey],
    onDone,
  })
  const change = (part: Partial<NewMaintenance>) => setValue({ ...value, ...part })
  return (
    <IncidentForm value={value} onChange={change} busy={act.isPending} onSubmit={act.mutate}>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['starts_at', 'ends_at'] as const).map((name) => (
          <TimeField
            key={name}
            name={name}
            value={value[name]}
            onChange={(time) => change({ [name]: time })}
          />
        ))}
      </div>
    </IncidentForm>
  )
}

/** A full hour in this many hours, as the input writes it, in the time zone of the browser. */
function localTime(hours: number): string {
  return inputTime(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS))
}

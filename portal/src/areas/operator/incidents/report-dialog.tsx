/** The dialogs that publish an incident, and that plan maintenance. */
import { OperationDialog } from '../../../api/operation-form.tsx'
import { operatorKey } from '../queries.ts'
import { inputTime, useIncidentFields } from './incident-fields.ts'
import {
  planMaintenance,
  reportIncident,
  type NewIncident,
  type NewMaintenance,
} from './queries.ts'
import { useIncidentTexts } from './texts.ts'

const HOUR_MS = 3_600_000

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
  const t = useIncidentTexts()
  const { title, message, components, impact, state } = useIncidentFields(first ?? emptyIncident)
  if (first === null) return null
  const { proposal_id } = first
  return (
    <OperationDialog
      operation="incidents.report"
      title={t('report')}
      about={t('about')}
      fields={[title, message, components, impact, state]}
      action={t('publish')}
      done={t('published')}
      refresh={[operatorKey]}
      run={(body: NewIncident) =>
        reportIncident({ ...body, ...(proposal_id !== undefined && { proposal_id }) })
      }
      onClose={onClose}
      onDone={onClose}
    />
  )
}

export function PlanDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const t = useIncidentTexts()
  const { title, message, components, starts_at, ends_at } = useIncidentFields({
    starts_at: localTime(24),
    ends_at: localTime(25),
  })
  if (!open) return null
  return (
    <OperationDialog
      operation="incidents.plan"
      title={t('plan')}
      about={t('about')}
      fields={[title, message, components, starts_at, ends_at]}
      action={t('publish')}
      done={t('published')}
      refresh={[operatorKey]}
      run={(body: NewMaintenance) => planMaintenance(body)}
      onClose={onClose}
      onDone={onClose}
    />
  )
}

/** A full hour in this many hours, as the input writes it, in the time zone of the browser. */
function localTime(hours: number): string {
  return inputTime(new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + hours * HOUR_MS))
}

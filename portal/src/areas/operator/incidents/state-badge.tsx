/** The state of an incident or maintenance. */
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import type { Incident } from './queries.ts'
import { useIncidentTexts } from './texts.ts'

export function StateBadge({ incident }: { incident: Pick<Incident, 'state' | 'impact'> }) {
  const t = useIncidentTexts()
  return <Badge tone={toneOf(incident)}>{t(incident.state)}</Badge>
}

function toneOf({ state, impact }: Pick<Incident, 'state' | 'impact'>): Tone {
  if (state === 'resolved' || state === 'completed') return 'good'
  if (state === 'scheduled' || state === 'in_progress') return 'info'
  return impact === 'critical' ? 'bad' : 'warn'
}

/** The state of an incident or maintenance. */
import { useTexts } from '../../../language/texts.ts'
import { Badge, type Tone } from '../../../ui/display/badge.tsx'
import type { Incident } from './queries.ts'
import { incidentTexts } from './texts.ts'

export function StateBadge({ incident }: { incident: Pick<Incident, 'state' | 'impact'> }) {
  const t = useTexts(incidentTexts)
  return <Badge tone={toneOf(incident)}>{t(incident.state)}</Badge>
}

function toneOf({ state, impact }: Pick<Incident, 'state' | 'impact'>): Tone {
  if (state === 'resolved' || state === 'completed') return 'good'
  if (state === 'scheduled' || state === 'in_progress') return 'info'
  return impact === 'critical' ? 'bad' : 'warn'
}

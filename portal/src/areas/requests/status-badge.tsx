/** The status of a request, in the colour of its class. */
import { Badge, type Tone } from '../../ui/display/badge.tsx'

const SERVER_ERROR = 500
const CLIENT_ERROR = 400

export function StatusBadge({ status }: { status: number }) {
  return (
    <Badge tone={toneOf(status)}>
      <span className="tabular-nums">{status}</span>
    </Badge>
  )
}

function toneOf(status: number): Tone {
  if (status >= SERVER_ERROR) return 'bad'
  return status >= CLIENT_ERROR ? 'warn' : 'good'
}

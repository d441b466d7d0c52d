/** Options of every area: number and duration of rounds, and the selected part. */
import { parseArgs } from 'node:util'

export interface Options {
  rounds: number
  seconds: number
  minutes: number
  /** Whether a part is selected; all by default. */
  wants(part: string): boolean
  /** Whether the result is stored for the report. */
  whole: boolean
  /** Whether a kind of request in the mix is selected; all by default. */
  wantsKind(kind: string): boolean
  /** The folder of another checkout to compare this one with; empty means none. */
  against: string
  /**
   * The difference between the two checkouts, for the table of mechanisms; empty means not to store
   * it.
   */
  label: string
}

export function readOptions(): Options {
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      minutes: { type: 'string', default: '10' },
      only: { type: 'string', default: '' },
      kinds: { type: 'string', default: '' },
      against: { type: 'string', default: '' },
      label: { type: 'string', default: '' },
    },
  })
  const only = values.only.split(',').filter(Boolean)
  const kinds = values.kinds.split(',').filter(Boolean)
  return {
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    minutes: positive('minutes', values.minutes),
    wants: (part) => only.length === 0 || only.includes(part),
    wantsKind: (kind) => kinds.length === 0 || kinds.includes(kind),
    whole:
      values.label !== '' || [values.only, values.kinds, values.against].every((one) => one === ''),
    against: values.against,
    label: values.label,
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new Error(`--${name} takes a number above 0, not "${text}".`)
  return number
}

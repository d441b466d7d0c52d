/** What every area can be told: how many rounds, how long each is, and which part of it alone. */
import { parseArgs } from 'node:util'

export interface Options {
  rounds: number
  seconds: number
  minutes: number
  /** The parts that are wanted; all when nothing was said. */
  wants(part: string): boolean
  /** Whether the result is kept for the report. */
  whole: boolean
  /** The kinds of requests of the mix; all when none were named. */
  wantsKind(kind: string): boolean
  /** The folder of another checkout to compare this one with; empty means none. */
  against: string
  /** What the two checkouts differ in, for the table of mechanisms; empty means not to keep it. */
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

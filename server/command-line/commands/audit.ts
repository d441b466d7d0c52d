/** The command that reads the audit log. */
import { listActs } from '../../areas/activity/service.ts'
import { exportActs } from '../../areas/operator/service.ts'
import { command } from '../command.ts'
import { withRuntime } from '../database-access.ts'
import { flag, id, line, moment, oneOf, optional } from '../option-parsers.ts'
import { formatTable } from '../output.ts'

const LISTED_MAX = 100
const NAME_CHARACTERS_MAX = 100

export const audit = command({
  name: 'audit',
  about: 'Lists what operators did in the console and on the command line, newest first.',
  options: {
    project: optional(id, 'Only acts on this project.'),
    operator: optional(line(NAME_CHARACTERS_MAX), 'Part of the address of the operator.'),
    operation: optional(line(NAME_CHARACTERS_MAX), 'Start of the operation or command.'),
    'entry-point': optional(oneOf(['console', 'command_line']), 'Only acts through it.'),
    from: optional(moment, 'Only at or after this time.'),
    to: optional(moment, 'Only before this time.'),
    csv: flag('Writes up to 10,000 acts as CSV.'),
  },
  run({ project, operator, operation, 'entry-point': entry, from, to, csv }, context) {
    const filter = {
      ...(project !== undefined && { project_id: project }),
      ...(operator !== undefined && { operator }),
      ...(operation !== undefined && { operation }),
      ...(entry !== undefined && { entry_point: entryPoints[entry] }),
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    return withRuntime(context.settings(), async (runtime) => {
      if (csv) {
        const made = await exportActs(runtime, filter)
        return { json: made, text: made.csv.trimEnd() }
      }
      const acts = await listActs(runtime, { after: null, count: LISTED_MAX, filter })
      const rows = acts.map((act) => [
        act.created_at,
        act.operator ?? act.address,
        act.operation,
        act.project_name ?? act.project_id,
        changed(act.before, act.after) || (act.note ?? act.resource_name),
      ])
      const headings = ['TIME', 'OPERATOR', 'ACT', 'PROJECT', 'CHANGE']
      const text = rows.length > 0 ? formatTable(headings, rows) : 'There is no such act.'
      return { json: acts, text }
    })
  },
})

const entryPoints = { console: 'operator', command_line: 'command_line' } as const

function changed(before: unknown, after: unknown): string {
  const old: Record<string, unknown> = Object(before)
  return Object.entries(Object(after))
    .map(([name, value]) => `${name}: ${JSON.stringify(old[name])} → ${JSON.stringify(value)}`)
    .join(', ')
}

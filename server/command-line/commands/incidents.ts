/** Commands for incidents and maintenance on the public status page. */
import * as status from '../../areas/status/service.ts'
import { Problem } from '../../contract/errors.ts'
import { CommandError } from '../command-error.ts'
import { runtimeCommand } from '../command.ts'
import {
  flag,
  id,
  line,
  lines,
  listOf,
  moment,
  oneOf,
  optional,
  required,
} from '../option-parsers.ts'
import { formatFields, formatTable } from '../output.ts'

const LISTED_MAX = 50
const components = listOf(oneOf(status.componentIds))
const title = line(120)
const message = lines(5000)

export const list = runtimeCommand({
  name: 'incidents list',
  about: 'Lists the newest incidents and maintenance, and incidents that failed probes propose.',
  options: { open: flag('Only those that are open.') },
  async run({ open }, runtime) {
    const query = { limit: LISTED_MAX, ...(open && { only: 'open' as const }) }
    const { data: incidents } = await status.listIncidents(runtime, query)
    const proposals = await status.listProposals(runtime)
    const rows = [
      ...proposals.map(({ id: proposal, kind, texts, since }) => {
        const what = kind === 'report' ? texts.en.title : texts.en.message
        return [proposal, 'proposed', what, since]
      }),
      ...incidents.map(({ id: incident, state, title: name, started_at }) => {
        return [incident, state, name, started_at]
      }),
    ]
    const headings = ['ID', 'STATE', 'TITLE', 'SINCE']
    return {
      json: { incidents, proposals },
      text: rows.length > 0 ? formatTable(headings, rows) : 'There is no incident.',
    }
  },
})

export const create = runtimeCommand({
  name: 'incidents create',
  about: 'Publishes an incident on the status page, and mails its subscribers.',
  options: {
    title: required(title, 'Title in one line.'),
    message: required(message, 'What the readers of the page should know.'),
    impact: required(
      oneOf(status.impacts),
      'critical: the components are down; none: for information.',
    ),
    components: optional(components, 'The components that are affected.'),
    state: optional(oneOf(status.incidentStates), 'By default investigating.'),
    proposal: optional(id, 'The proposal that it is published from.'),
  },
  run: ({ components: ids = [], state = 'investigating', proposal, ...rest }, runtime) =>
    shown(
      status.reportIncident(runtime, {
        ...rest,
        components: ids,
        state,
        ...(proposal !== undefined && { proposal_id: proposal }),
      }),
    ),
})

export const update = runtimeCommand({
  name: 'incidents update',
  about: 'Posts an update of an incident or maintenance, and mails the subscribers.',
  options: {
    id: required(id, 'The incident.'),
    state: required(
      oneOf([...status.incidentStates, ...status.maintenanceStates]),
      'The new state.',
    ),
    message: required(message, 'What the readers of the page should know.'),
    impact: optional(oneOf(status.impacts), 'By default unchanged.'),
    components: optional(components, 'By default unchanged.'),
  },
  run: ({ id: incident, state, message: said, impact, components: ids }, runtime) =>
    shown(
      status.updateIncident(runtime, incident, {
        state,
        message: said,
        ...(impact !== undefined && { impact }),
        ...(ids !== undefined && { components: ids }),
      }),
    ),
})

export const plan = runtimeCommand({
  name: 'incidents plan',
  about: 'Announces maintenance, which begins and ends by itself, and mails the subscribers.',
  options: {
    title: required(title, 'Title in one line.'),
    message: required(message, 'What the readers of the page should know.'),
    'starts-at': required(moment, 'The planned start.'),
    'ends-at': required(moment, 'The planned end.'),
    components: optional(components, 'The components that are affected.'),
  },
  run: (values, runtime) =>
    shown(
      status.planMaintenance(runtime, {
        title: values.title,
        message: values.message,
        starts_at: values['starts-at'],
        ends_at: values['ends-at'],
        components: values.components ?? [],
      }),
    ),
})

export const remove = runtimeCommand({
  name: 'incidents delete',
  about: 'Removes an incident that was published by mistake, with its updates.',
  options: { id: required(id, 'The incident.') },
  async run({ id: incident }, runtime) {
    await status.deleteIncident(runtime, incident).catch(refuse)
    return { json: { id: incident, deleted: true }, text: 'The incident is removed.' }
  },
})

async function shown(made: Promise<status.Incident>) {
  const incident = await made.catch(refuse)
  const { id: incident_id, kind, title: name, state, impact, started_at } = incident
  const ids = incident.components.join(' ')
  const fields = { id: incident_id, kind, title: name, state, impact, started_at, components: ids }
  return { json: incident, text: formatFields(fields) }
}

function refuse(error: unknown): never {
  throw error instanceof Problem ? new CommandError(error.detail) : error
}

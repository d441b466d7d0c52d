/**
 * The whole project at one glance, so that a conversation can begin with a single call: what there
 * is, by which names, and what needs attention. Put together from the operations that read, each
 * under its own scope; what this connection may not see is named instead.
 */
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/errors.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { invalidBody } from '../http/request.ts'
import { isOpenTo } from './call.ts'
import type { Catalog } from './catalog.ts'
import { listingOf } from './own-tool.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { structured } from './result.ts'
import { prepare, unknownArgument } from './run.ts'
import type { Tool, Visit } from './surface.ts'
import type { OperationTool } from './tool.ts'

interface Section {
  name: string
  /** An operation whose reply it is made from. One that no area declares leaves nothing. */
  operation: Operation['name']
  given?: JsonRecord
  show(reply: JsonRecord): unknown
}

const sections: readonly Section[] = [
  {
    name: 'project',
    operation: 'project.get',
    show: (reply) => pick(reply, ['id', 'name', 'mode', 'rails', 'access']),
  },
  {
    name: 'balance',
    operation: 'balance.get',
    show: (reply) => pick(reply, ['balance_eur', 'spent_this_month_eur', 'spend_cap_eur']),
  },
  {
    name: 'assistant',
    operation: 'assistant.get',
    show: (reply) => pick(reply, ['configured', 'name', 'languages', 'timezone']),
  },
  {
    name: 'numbers',
    operation: 'numbers.list',
    show: (reply) => listed(reply, (one) => pick(one, ['id', 'e164', 'status', 'test'])),
  },
  {
    name: 'collections',
    operation: 'collections.list',
    show: (reply) => listed(reply, collection),
  },
  {
    name: 'sites',
    operation: 'sites.list',
    show: (reply) => listed(reply, (one) => pick(one, ['id', 'slug', 'url', 'status', 'version'])),
  },
  {
    name: 'waits_for_a_person',
    operation: 'approvals.list',
    given: { status: 'pending' },
    show: (reply) => listed(reply, waiting),
  },
  {
    name: 'failing_webhooks',
    operation: 'webhooks.list',
    show: (reply) => listed(reply, failing),
  },
]

export function stateTool(catalog: Catalog): Tool {
  return {
    listing: listingOf('get_state', {
      title: 'State of the project',
      description:
        'The project at one glance: what this connection may do, mode and rails, balance, assistant, ' +
        'phone numbers, collections with their fields, sites, what waits for the yes of a person, ' +
        'and webhooks that fail. Call this first.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: { type: 'object' },
      reads: true,
    }),
    operationFor: () => null,
    isShown: () => true,
    async run(given, visit) {
      requireNone(given)
      const shown = await Promise.all(sections.map((section) => read(section, catalog, visit)))
      const known = shown.filter((one) => one !== null)
      const state = Object.fromEntries(known.flatMap((one) => ('value' in one ? [one.value] : [])))
      const not_shown = known.flatMap((one) => ('reason' in one ? [one.reason] : []))
      return structured({
        connection: connectionOf(visit),
        ...state,
        ...(not_shown.length > 0 && { not_shown }),
      })
    },
  }
}

/** Which scopes this connection or key has, which it lacks, and how to get more. */
function connectionOf({ caller }: Visit): JsonRecord {
  const { scopes, is_connection, runtime, project } = caller
  const lacking = scopeNames.filter((scope) => !scopes.has(scope))
  const portal = `${runtime.config.public_url}/portal/projects/${project.id}`
  return {
    kind: is_connection ? 'connection' : 'api_key',
    scopes: scopeNames.filter((scope) => scopes.has(scope)),
    ...(lacking.length > 0 && {
      scopes_missing: lacking,
      to_get_more: is_connection
        ? 'Only what the user ticked is given, and nothing that changes something is ticked at first. ' +
          'Call what you need: some clients then ask the user by themselves. If yours does not, ask ' +
          'the user to connect this chat again and to tick what is missing on the page that opens. ' +
          `What is connected now: ${portal}/connections`
        : `Ask the owner for an API key with these scopes, which they make at ${portal}/keys`,
    }),
  }
}

function requireNone(given: unknown): void {
  const names = Object.keys(Object(given ?? {}))
  if (names.length === 0 && (given === undefined || isRecord(given))) return
  throw invalidBody(names.map((name) => ({ path: `/${name}`, message: unknownArgument([]) })))
}

type Shown = { value: readonly [string, unknown] } | { reason: string } | null

async function read(section: Section, catalog: Catalog, visit: Visit): Promise<Shown> {
  const tool = catalog.all.get(section.operation)
  if (!tool) return null
  if (!isOpenTo(tool, visit)) return { reason: `${section.name}: ${whyNot(tool, visit)}` }
  try {
    const reply: unknown = JSON.parse(
      await prepare(tool, argumentsFor(tool, section)).run(visit.caller),
    )
    return { value: [section.name, isRecord(reply) ? section.show(reply) : null] }
  } catch (error) {
    if (error instanceof Problem) return { reason: `${section.name}: ${error.detail}` }
    throw error
  }
}

function argumentsFor({ places }: OperationTool, { given }: Section): JsonRecord {
  return { ...given, ...(places.has('limit') && { limit: LISTED_MAX }) }
}

const LISTED_MAX = 50

function whyNot({ operation }: OperationTool, { caller }: Visit): string {
  const { scope } = operation
  if (scope !== null && !caller.scopes.has(scope)) return `this key lacks ${scope}`
  return 'left out by the limits or the address of this connection'
}

function pick(from: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
}

/** How many there are, and the first of them. */
function listed(reply: JsonRecord, show: (one: JsonRecord) => JsonRecord | null): JsonRecord {
  const all = Array.isArray(reply['data']) ? reply['data'].filter(isRecord) : []
  const more = typeof reply['next_cursor'] === 'string'
  const items = all.map(show).filter((one) => one !== null)
  return { count: items.length, ...(more && { more }), items }
}

function collection(one: JsonRecord): JsonRecord {
  return {
    ...pick(one, ['name', 'title', 'document_count', 'public_write']),
    fields: fieldsOf(one['schema']),
  }
}

/** The fields of a schema and their types: `{"email": "string", "guests": "integer, optional"}`. */
function fieldsOf(schema: unknown): JsonRecord {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const fields = Object.entries(schema['properties']).map(([name, field]) => {
    const type = isRecord(field) ? (field['type'] ?? (field['enum'] ? 'enum' : 'any')) : 'any'
    return [name, String(type) + (required.includes(name) ? '' : ', optional')] as const
  })
  return Object.fromEntries(fields)
}

function waiting(one: JsonRecord): JsonRecord {
  return pick(one, ['id', 'about', 'url', 'expires_at'])
}

function failing(one: JsonRecord): JsonRecord | null {
  if (one['consecutive_failures'] === 0 && one['active'] === true) return null
  return pick(one, ['id', 'url', 'active', 'consecutive_failures', 'last_failure_at'])
}

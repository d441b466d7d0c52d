/** Finds the scenario of an operation: the requests by which its statements are counted. */
import assert from 'node:assert/strict'
import type { Operation } from '../../server/contract/operation.ts'
import { createExample } from '../../server/edges/describe/samples/example.ts'
import { activity } from './activity.ts'
import { agents } from './agents.ts'
import { apps } from './apps.ts'
import { approvals } from './approvals.ts'
import { calls } from './calls.ts'
import { chats } from './chats.ts'
import { data } from './data.ts'
import { email } from './email.ts'
import { files } from './files.ts'
import { payments } from './payments.ts'
import { people, peopleScenario } from './people.ts'
import { requests } from './requests.ts'
import { verification } from './verification.ts'
import type { Scenario } from './scenario.ts'

const declared: Readonly<Record<string, Scenario>> = {
  ...activity,
  ...agents,
  ...apps,
  ...approvals,
  ...calls,
  ...chats,
  ...data,
  ...email,
  ...files,
  ...payments,
  ...people,
  ...requests,
  ...verification,
}

/** Throws if an operation needs a record and no scenario creates it. */
export function scenarioOf(operation: Operation): Scenario {
  const scenario = declared[operation.name] ?? byExample(operation)
  assert(scenario, `${operation.name} has no scenario: add one to a file in test/query-counts/.`)
  return scenario
}

/** Uses the declared example of an operation that needs no record; null if it needs one. */
function byExample(operation: Operation): Scenario | null {
  const { method, path, body, params } = operation
  if (params) return null
  const sent = body ? { body: createExample(body) } : {}
  if (operation.kind === 'people')
    return peopleScenario(({ project_id }) => ({
      route: `${method} ${path.replace('{project_id}', project_id)}`,
      ...sent,
    }))
  return { ready: () => () => ({ route: `${method} ${path}`, ...sent }) }
}

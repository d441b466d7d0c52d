/** The toolbox of the portal assistant: the documentation, and the operations as a signed-in person. */
import { runsWithArguments } from '../../contract/operations/streams.ts'
import * as people from '../../areas/people/service.ts'
import type { KnownOperation, Toolbox } from '../../areas/portal-assistant/service.ts'
import { problemDocument } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import type { MemberCaller, PeopleOperation } from '../../contract/people.ts'
import type { JsonRecord, StateSection } from '../../contract/manifest/state-section.ts'
import type { DocsReader } from '../docs/docs.ts'
import type { JsonSchema } from '../describe/json-schema.ts'
import { toDocsUrl, toProblem } from '../http/problems.ts'
import type { Catalog } from '../mcp/catalog.ts'
import { createOperationSearch, type Hit } from '../mcp/search/catalog-index.ts'
import { writeSignature } from '../mcp/search/signature.ts'
import { readSections } from '../mcp/state.ts'
import { describeCostFor } from '../mcp/tools/cost.ts'
import { isRecord } from '../mcp/tools/record.ts'
import { toReplyResult } from '../mcp/tools/result.ts'
import { prepareInSlices, unwrapBody } from '../mcp/tools/run.ts'
import { deriveTool, type OperationTool } from '../mcp/tools/tool.ts'
import { readView } from '../mcp/tools/view.ts'
import { portalPhrasing } from '../portal-api/phrasing.ts'
import { requireFresh, requireRights } from '../portal-api/session-admission.ts'
import { toTeamProblem } from '../portal-api/team-problem.ts'
import { findPage } from '../portal/record-pages.ts'
import { toEnglish } from './dutch-words.ts'
import { findPassages } from './passages.ts'
import { findRecords } from './records.ts'

export interface ToolboxParts {
  catalog: Catalog
  docs: DocsReader
  state: readonly StateSection[]
}

/**
 * Operations that the assistant never runs: decisions about what another assistant asked for, which a
 * person has to read on their own page, the end of a project, and a file with all of it.
 */
const excluded: ReadonlySet<string> = new Set([
  'approvals.approve',
  'approvals.edit',
  'approvals.reject',
  'projects.delete',
  'projects.export',
])

const SIGNATURE_CHARACTERS = 300
const view = readView({})

export function createToolbox({ catalog, docs, state }: ToolboxParts): Toolbox {
  const tools = createTools(catalog)
  const search = createOperationSearch(catalog)
  const prepare: Toolbox['prepare'] = async (name, { given, once }) => {
    const tool = tools(name)
    if (!tool) throw new Error(`${name} is not an operation of the assistant.`)
    const keyed = tool.places.has('idempotency_key') ? { idempotency_key: once } : {}
    const asked = isRecord(given) ? { ...given, ...keyed } : given
    const prepared = await prepareInSlices(tool, asked)
    const run = (caller: MemberCaller) => asTeamProblem(() => prepared.run(caller))
    return { ...prepared, run }
  }
  const read = async (name: string, given: JsonRecord, caller: MemberCaller) => {
    const tool = tools(name)
    if (!tool) return {}
    await requireRights(tool.operation, caller)
    const text = await (await prepare(name, { given, once: '' })).run(caller)
    return toRecord(JSON.parse(text))
  }
  return {
    searchDocs: (words, otherwise) => findPassages(docs, words, otherwise),
    searchOperations(wish) {
      const { hits, others, share } = search(toEnglish(wish))
      const known = (hit: Hit) => tools(hit.name)?.operation ?? []
      return {
        hits: hits.flatMap((hit) => describe(tools(hit.name)) ?? []),
        others: others.flatMap(known),
        share,
      }
    },
    searchRecords: (caller, words) => findRecords(caller, words, read),
    find: (name) => describe(tools(name)),
    unwrap(name, given) {
      const tool = tools(name)
      return tool ? unwrapBody(tool, given) : given
    },
    prepare,
    allow: requireRights,
    async requireFresh(operation, caller) {
      if (operation.kind !== 'people' || !operation.fresh) return
      const fresh = await people.isIdentityFresh(caller)
      requireFresh(caller.runtime, operation, { fresh })
    },
    costOf: describeCostFor,
    readState: async (caller) =>
      JSON.stringify(await readSections(catalog, state, { caller, view })),
    wrapReply(name, reply) {
      const tool = tools(name)
      const [content] = tool
        ? toReplyResult(tool, reply, { find: (one) => tools(one)?.operation ?? null }).content
        : []
      return content?.type === 'text' ? content.text : reply
    },
    describeProblem(error, { runtime, request_id }) {
      const problem = toProblem(toTeamProblem(error), runtime, request_id)
      const docs_url = toDocsUrl(runtime)
      return { ...problemDocument(problem, { request_id, docs_url, phrasing: portalPhrasing }) }
    },
  }
}

type FindTool = (name: string) => OperationTool | null

/** Finds an operation that the assistant may run, and derives its arguments once. */
function createTools({ all, people: ofPeople }: Catalog): FindTool {
  const runnable = new Map(
    ofPeople
      .filter(isRunnable)
      .map((operation): [string, PeopleOperation] => [operation.name, operation]),
  )
  const derived = new Map<string, OperationTool>()
  return (name) => {
    if (excluded.has(name)) return null
    const keyed = all.get(name)
    if (keyed) return runsWithArguments(keyed.operation) ? keyed : null
    const operation = runnable.get(name)
    if (!operation) return null
    const tool = derived.get(name) ?? deriveTool(operation)
    derived.set(name, tool)
    return tool
  }
}

/**
 * Whether an operation is in a project and not one of the assistant's own, which it must not call.
 */
function isRunnable({ name, access }: PeopleOperation): boolean {
  return access !== 'person' && access !== 'operator' && !name.startsWith('portal_')
}

function describe(tool: OperationTool | null): KnownOperation | null {
  if (!tool) return null
  const { operation, listing } = tool
  const shape = withoutKey(tool.shape)
  return {
    operation,
    title: listing.title,
    shape: { ...shape },
    fields: fieldsOf(operation),
    signature: writeSignature(shape, SIGNATURE_CHARACTERS),
    page: findPage(operation.name),
  }
}

/** Path, query and body parameters as declared. */
function fieldsOf({ params, query, body }: Operation): Record<string, unknown> {
  const all = [params, query, body].map((shape) =>
    Object(shape && 'properties' in shape ? shape.properties : {}),
  )
  return Object.assign({}, ...all)
}

/** The Idempotency-Key is that of the proposal, so no model and no person chooses it. */
function withoutKey({ properties = {}, required = [], ...shape }: JsonSchema): JsonSchema {
  const { idempotency_key: _, ...kept } = properties
  return {
    ...shape,
    properties: kept,
    required: required.filter((one) => one !== 'idempotency_key'),
  }
}

async function asTeamProblem<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toTeamProblem(error)
  }
}

function toRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {}
}

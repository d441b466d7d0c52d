/** The portal's API. Its types come from the server's OpenAPI document; see write-types.ts. */
import createClient from 'openapi-fetch'
import type { components, paths } from 'portal-api'
import { translateMessage, translateStep } from '../language/server-texts/translate.ts'
import { currentLanguage } from '../language/texts.ts'
import { fetchTogether } from './batch.ts'
import { modeOf, rememberPageUrl } from './page-url.ts'

export type Schemas = components['schemas']
export type Mode = 'live' | 'test'

/** The project and mode that a request is about. */
export interface Scope {
  project_id: string
  mode: Mode
}

export const api = createClient<paths>({
  baseUrl: '/portal/api/v1',
  credentials: 'same-origin',
  fetch: fetchTogether,
})

/** Path and headers of a request in a project; `rest` is the rest of the path. */
export function inProject<Rest extends object = object>({ project_id, mode }: Scope, rest?: Rest) {
  return { path: { project_id, ...rest! }, header: { 'Homeport-Mode': mode } } as const
}

/** An error with an explanation by the server. */
export class ApiProblem extends Error {
  readonly status: number
  readonly slug: string
  readonly user_message: string
  readonly next_step: string | null
  readonly request_id: string | null
  /**
   * The page that confirms the person's identity, if the server requires a confirmation; else null.
   */
  readonly confirm_url: string | null
  /** The path of the page of the plan, if a larger plan resolves the problem; else null. */
  readonly plan_url: string | null
  readonly faults: readonly { path: string; message: string }[]
  /** The whole problem document: some errors have members of their own. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(problem: Partial<Schemas['Problem']>, status: number) {
    super(problem.detail ?? `The server answered with status ${status}.`)
    this.status = status
    this.slug = problem.type?.split(/[/#]/).at(-1) ?? 'unknown'
    const language = currentLanguage()
    this.user_message = translateMessage(problem.user_message ?? this.message, language)
    this.next_step = translateStep(planStepOf(problem) ?? problem.next_step ?? null, language)
    this.request_id = problem.request_id ?? null
    const confirm_url = problem['confirm_url']
    this.confirm_url = typeof confirm_url === 'string' ? confirm_url : null
    const plan_url = problem['plan_url']
    this.plan_url = typeof plan_url === 'string' ? (URL.parse(plan_url)?.pathname ?? null) : null
    this.faults = (problem.errors ?? []).map(({ path, message }) => ({
      path,
      message: translateMessage(message, language),
    }))
    this.body = problem
  }
}

/** What to do about a limit of the plan, with the plan that lifts it. */
function planStepOf({ status, larger_plan }: Partial<Schemas['Problem']>): string | null {
  if (typeof larger_plan !== 'string') return null
  const isUsedUp = status === 409
  return isUsedUp
    ? `Make room, or choose the plan ${larger_plan}.`
    : `Choose the plan ${larger_plan}.`
}

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/**
 * Returns the data of a successful response. Throws an ApiProblem otherwise; if the session has
 * ended, opens the sign-in page.
 */
export async function read<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked
  if (response.ok) return data as Data
  if (response.status === 401) signInAgain()
  throw new ApiProblem(isRecord(error) ? error : {}, response.status)
}

function isRecord(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null
}

function signInAgain(): void {
  rememberPageUrl()
  location.assign(`/portal/sign-in?next=${location.pathname}${modeOf(location.search)}`)
}

/** What an outbound call would say first, cost, and be refused for. Nobody is called. */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import * as assistant from '../../assistant/service.ts'
import * as billing from '../../billing/service.ts'
import { maximumPrice } from '../live/finish.ts'
import { DURATION_S, readDraft } from './place.ts'
import type { CallPreview, CallPreviewInput } from './preview-schema.ts'

export async function previewCall(caller: Caller, input: CallPreviewInput): Promise<CallPreview> {
  const { db, project, runtime } = caller
  const test = !mayBeReal(caller, 'outbound')
  const seconds = input.max_duration_sec ?? DURATION_S
  const price_micro = test ? 0n : billing.findPrice(runtime, 'call.outbound')
  const cost_micro = test ? 0n : maximumPrice(runtime, 'outbound', seconds)
  return {
    test,
    first_words: await assistant.previewGreeting(db, project.id, input.opening ?? null),
    follows_task: runtime.config.model.provider !== 'builtin',
    price_per_minute_eur: euroFromMicro(price_micro),
    cost_max_eur: euroFromMicro(cost_micro),
    problem: await findProblem(caller, input, test),
  }
}

async function findProblem(
  caller: Caller,
  { to, ...input }: CallPreviewInput,
  test: boolean,
): Promise<CallPreview['problem']> {
  if (to === undefined) return null
  try {
    await readDraft(caller, { ...input, to, instructions: '-' }, test)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { slug: error.slug, detail: error.detail }
  }
}

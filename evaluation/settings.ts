/**
 * Reads the settings of an evaluation from environment variables; README.md explains them. Without a
 * model the scripted agent runs.
 */
import { randomInt } from 'node:crypto'

export const providers = ['openai', 'anthropic', 'google', 'openai_compatible'] as const
export type Provider = (typeof providers)[number]

export interface ModelSettings {
  provider: Provider
  name: string
  key: string
  /** null means the default address of the provider. */
  url: string | null
  /** Maximum number of model requests for a task. */
  steps_max: number
  /** Maximum number of input and output tokens for a task, over all steps. */
  tokens_max: number
}

export interface EvaluationSettings {
  /** null means the scripted agent. */
  model: ModelSettings | null
  seed: number
}

type Environment = Readonly<Record<string, string | undefined>>

const STEPS_MAX = 40
const TOKENS_MAX = 1_000_000

export function readEvaluationSettings(environment: Environment): EvaluationSettings {
  const seed = wholeNumber(environment, 'HOMEPORT_EVAL_SEED', randomInt(1_000_000))
  const model = environment['HOMEPORT_EVAL_MODEL'] ?? ''
  return { seed, model: model === '' ? null : modelOf(model, environment) }
}

function modelOf(text: string, environment: Environment): ModelSettings {
  const at = text.indexOf(':')
  const provider = providers.find((one) => one === text.slice(0, at))
  const name = text.slice(at + 1)
  if (!provider || name === '') {
    throw new Error(`HOMEPORT_EVAL_MODEL is one of ${providers.join(', ')}, a colon and a name.`)
  }
  const url = environment['HOMEPORT_EVAL_URL'] || null
  if (provider === 'openai_compatible' && url === null) {
    throw new Error('openai_compatible needs HOMEPORT_EVAL_URL, an address that ends in /v1.')
  }
  return {
    provider,
    name,
    url,
    key: environment['HOMEPORT_EVAL_KEY'] ?? '',
    steps_max: wholeNumber(environment, 'HOMEPORT_EVAL_STEPS', STEPS_MAX),
    tokens_max: wholeNumber(environment, 'HOMEPORT_EVAL_TOKENS', TOKENS_MAX),
  }
}

function wholeNumber(environment: Environment, name: string, standard: number): number {
  const text = environment[name] ?? ''
  if (text === '') return standard
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} is a whole number.`)
  return Number(text)
}

/**
 * Creates the language model: the built-in one, or that of the chosen provider, behind one
 * interface. The SDKs of providers are imported at the first request, to save memory on servers
 * that do not use them.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import type { Config, ModelChoice, ModelConfig } from '../../kernel/config/config-types.ts'
import { builtinModel, type LanguageModelV4 } from './builtin/builtin.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import { notingFetch } from '../provider-errors.ts'
import type { ProviderAddress } from '../provider-outbound.ts'

export type { LanguageModelV4 } from './builtin/builtin.ts'

type Provider = Exclude<ModelConfig['provider'], 'builtin'>
type Settings = { apiKey: string; baseURL: string; fetch: typeof fetch }

const baseUrls: Readonly<Record<Provider, string>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  // A placeholder: the settings require a URL.
  openai_compatible: 'http://localhost/v1',
}

const runtimeModels = new WeakMap<Runtime, Map<string, LanguageModelV4>>()

/** The model of this name, or the default one. */
export function languageModel(
  runtime: Runtime,
  name = modelName(runtime.config.model),
): LanguageModelV4 {
  const models = runtimeModels.get(runtime) ?? new Map<string, LanguageModelV4>()
  runtimeModels.set(runtime, models)
  const known = models.get(name)
  if (known !== undefined) return known
  const { provider } = runtime.config.model
  const choice = findModel(runtime.config.model, name)
  const is_builtin = provider === 'builtin' || choice.name === BUILTIN
  const model = is_builtin ? builtinModel : providedModel(runtime, provider, choice.name)
  models.set(name, model)
  return model
}

export const BUILTIN = 'builtin'

/** The names that a project may choose; the first is the default. */
export function listModels(config: ModelConfig): string[] {
  const { provider, choices } = config
  const others = choices.map(({ name }) => `${provider}:${name}`)
  return [...new Set([modelName(config), ...others, BUILTIN])]
}

/** The name that is used for a choice: the default if the operator no longer allows it. */
export function modelOf(config: ModelConfig, chosen: string | null): string {
  return chosen !== null && listModels(config).includes(chosen) ? chosen : modelName(config)
}

/** The model of a name of `listModels`, with its price; the default model if it is unknown. */
export function findModel(config: ModelConfig, name: string): ModelChoice {
  if (name === BUILTIN) return { name: BUILTIN, price_factor: 0 }
  const chosen = config.choices.find((choice) => `${config.provider}:${choice.name}` === name)
  return chosen ?? { name: config.name, price_factor: 1 }
}

/** Null for the built-in model, which runs in this process. */
export function modelAddress({ model: { provider, url } }: Config): ProviderAddress | null {
  if (provider === 'builtin') return null
  return { url: (url || baseUrls[provider]).replace(/\/+$/, ''), is_own: url !== '' }
}

/** The displayed name: `builtin`, or the provider and its model. */
export function modelName({ provider, name }: ModelConfig): string {
  return provider === 'builtin' ? BUILTIN : `${provider}:${name}`
}

function providedModel(runtime: Runtime, provider: Provider, name: string): LanguageModelV4 {
  const { key, url } = runtime.config.model
  const baseURL = (url || baseUrls[provider]).replace(/\/+$/, '')
  const settings = {
    apiKey: key,
    baseURL,
    fetch: notingFetch(runtime, createGuardedFetch(runtime.config, baseURL, url !== '')),
  }
  let loading: Promise<LanguageModelV4> | null = null
  const load = () => (loading ??= loadModel(provider, name, settings))
  return {
    specificationVersion: 'v4',
    provider,
    modelId: name,
    supportedUrls: {},
    doGenerate: async (options) => (await load()).doGenerate(options),
    doStream: async (options) => (await load()).doStream(options),
  }
}

async function loadModel(provider: Provider, name: string, settings: Settings) {
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings)(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)(name)
    case 'openai_compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const compatible = {
        ...settings,
        name: provider,
        supportsStructuredOutputs: true,
        // Without it, a streamed answer reports no tokens, and its price would be unknown.
        includeUsage: true,
      }
      return createOpenAICompatible(compatible)(name)
    }
  }
}

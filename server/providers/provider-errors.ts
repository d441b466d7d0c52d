/** The last failed request to each provider, for the operators. */
import type { Outbound } from '../kernel/outbound/outbound.ts'
import { recordProviderFailure, recordProviderSuccess } from '../kernel/provider-results.ts'
import type { Runtime } from '../kernel/runtime.ts'

export type ProviderInterface = 'phone' | 'ai' | 'mail' | 'payments' | 'vat' | 'register' | 'files'

export interface ProviderFailure {
  at: Date
  message: string
}

type Noting = Pick<Runtime, 'clock' | 'db' | 'log' | 'metrics'>

const MESSAGE_CHARACTERS_MAX = 300
const failures = new WeakMap<Runtime['metrics'], Map<ProviderInterface, ProviderFailure>>()

/** The last failure in this process; null if there was none. */
export function lastProviderError(
  { metrics }: Pick<Noting, 'metrics'>,
  name: ProviderInterface,
): ProviderFailure | null {
  return failures.get(metrics)?.get(name) ?? null
}

/** Keeps the error for the overview of the operators, and counts it for the alert of the provider. */
export function noteProviderError(noting: Noting, name: ProviderInterface, message: string): void {
  noteRefusal(noting, name, message)
  recordProviderFailure(noting, name, message.slice(0, MESSAGE_CHARACTERS_MAX))
}

/** The provider works, but refused one request, such as the recipient of a mail. */
export function noteRefusal(
  { clock, metrics }: Pick<Noting, 'clock' | 'metrics'>,
  name: ProviderInterface,
  message: string,
): void {
  const ours = failures.get(metrics) ?? new Map<ProviderInterface, ProviderFailure>()
  failures.set(metrics, ours)
  ours.set(name, { at: clock.now(), message: message.slice(0, MESSAGE_CHARACTERS_MAX) })
}

export function noteProviderSuccess(noting: Noting, name: ProviderInterface): void {
  recordProviderSuccess(noting, name)
}

/** The same for the fetch of the language model. */
export function notingFetch(noting: Noting, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      const response = await send(input, init)
      if (isFailure(response.status))
        noteProviderError(noting, 'ai', `The model answered ${response.status}.`)
      else noteProviderSuccess(noting, 'ai')
      return response
    } catch (error) {
      noteProviderError(noting, 'ai', error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}

function isFailure(status: number): boolean {
  return status >= 500 || [401, 403, 429].includes(status)
}

/** Notes requests without a response, with a refused key, too many requests, or a 5xx. */
export function notingErrors(
  noting: Noting,
  name: ProviderInterface,
  outbound: Outbound,
): Outbound {
  return {
    ...outbound,
    async request(request) {
      try {
        const response = await outbound.request(request)
        const { status } = response
        if (isFailure(status))
          noteProviderError(noting, name, `${new URL(request.url).host} answered ${status}.`)
        else noteProviderSuccess(noting, name)
        return response
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        noteProviderError(noting, name, message)
        throw error
      }
    },
  }
}

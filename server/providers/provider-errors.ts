/** The last failed request to each provider, for the operators. */
import type { Outbound } from '../kernel/outbound/outbound.ts'
import type { Runtime } from '../kernel/runtime.ts'

export type ProviderInterface = 'phone' | 'ai' | 'mail' | 'payments' | 'vat' | 'files'

export interface ProviderFailure {
  at: Date
  message: string
}

type Noting = Pick<Runtime, 'clock' | 'metrics'>

const MESSAGE_CHARACTERS_MAX = 300
const failures = new WeakMap<Runtime['metrics'], Map<ProviderInterface, ProviderFailure>>()

/** The last failure in this process; null if there was none. */
export function lastProviderError(
  { metrics }: Noting,
  name: ProviderInterface,
): ProviderFailure | null {
  return failures.get(metrics)?.get(name) ?? null
}

export function noteProviderError(
  { clock, metrics }: Noting,
  name: ProviderInterface,
  message: string,
): void {
  const ours = failures.get(metrics) ?? new Map<ProviderInterface, ProviderFailure>()
  failures.set(metrics, ours)
  ours.set(name, { at: clock.now(), message: message.slice(0, MESSAGE_CHARACTERS_MAX) })
}

/** The same for the fetch of the language model. */
export function notingFetch(noting: Noting, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      const response = await send(input, init)
      if (isFailure(response.status))
        noteProviderError(noting, 'ai', `The model answered ${response.status}.`)
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
        return response
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        noteProviderError(noting, name, message)
        throw error
      }
    },
  }
}

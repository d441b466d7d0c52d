/**
 * Validates EU VAT numbers: by VIES of the European Commission, or its simulator, which implements
 * the same protocol.
 */
import type { Runtime } from '../../kernel/runtime.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import { notingErrors } from '../provider-errors.ts'
import { openProviderOutbound } from '../provider-outbound.ts'
import { askVies, VIES_URL } from './vies.ts'

/** `no_answer`: the validity is unknown at the moment; ask again later. */
export type VatAnswer = 'valid' | 'invalid' | 'no_answer'

export interface VatChecker {
  /** Takes a number from `readVatNumber`. Never throws; takes at most the timeout. */
  check(vat_number: string): Promise<VatAnswer>
}

const runtimeOutbound = new WeakMap<Runtime, Outbound>()

export function vatCheckerOf(runtime: Runtime): VatChecker {
  return {
    async check(vat_number) {
      const { vat } = runtime.config
      const verdict = await askVies({
        outbound: outboundOf(runtime),
        url: addressOf(runtime),
        timeout_ms: vat.timeout_ms,
        vat_number,
      })
      if ('why' in verdict) runtime.log.info({ why: verdict.why }, 'a VAT number was not checked')
      return verdict.answer
    },
  }
}

/**
 * Read at each request, because the port of the simulator is known only after the server listens.
 */
function addressOf({ config }: Runtime): string {
  const { provider, url } = config.vat
  const standard = provider === 'simulator' ? `${config.simulators_url}/vies` : VIES_URL
  return (url || standard).replace(/\/+$/, '')
}

function outboundOf(runtime: Runtime): Outbound {
  const known = runtimeOutbound.get(runtime)
  if (known !== undefined) return known
  const { provider, url } = runtime.config.vat
  const guarded = openProviderOutbound(runtime.config, provider === 'simulator' || url !== '')
  const outbound = notingErrors(runtime, 'vat', guarded)
  runtimeOutbound.set(runtime, outbound)
  return outbound
}

/**
 * Who says whether a VAT number of the EU is valid: VIES, the service of the European Commission,
 * or its simulator, which speaks the same protocol from another address.
 */
import type { House } from '../../kernel/house.ts'
import type { Outbound } from '../../kernel/outbound.ts'
import { outboundTo } from '../provider-outbound.ts'
import { askVies, VIES_URL } from './vies.ts'

/** `no_answer`: whether it is valid is not known now, and may be asked again later. */
export type VatAnswer = 'valid' | 'invalid' | 'no_answer'

export interface VatChecker {
  /** Asks about a number as `readVatNumber` gives it. Never throws; takes the timeout at most. */
  check(vat_number: string): Promise<VatAnswer>
}

const outboundOfHouse = new WeakMap<House, Outbound>()

export function vatCheckerOf(house: House): VatChecker {
  return {
    async check(vat_number) {
      const { vat } = house.config
      const verdict = await askVies({
        outbound: outboundOf(house),
        url: addressOf(house),
        timeout_ms: vat.timeout_ms,
        vat_number,
      })
      if ('why' in verdict) house.log.info({ why: verdict.why }, 'a VAT number was not checked')
      return verdict.answer
    },
  }
}

/** Read at each question: where the simulators answer is known once the server listens. */
function addressOf({ config }: House): string {
  const { provider, url } = config.vat
  const standard = provider === 'simulator' ? `${config.simulators_url}/vies` : VIES_URL
  return (url || standard).replace(/\/+$/, '')
}

function outboundOf(house: House): Outbound {
  const known = outboundOfHouse.get(house)
  if (known !== undefined) return known
  const { provider, url } = house.config.vat
  const outbound = outboundTo(house.config, provider === 'simulator' || url !== '')
  outboundOfHouse.set(house, outbound)
  return outbound
}

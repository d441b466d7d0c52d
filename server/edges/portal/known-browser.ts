/**
 * Recognizes browsers in which an account signed in before, so that their attempts have a count of
 * their own that no stranger can use up. The cookie contains a MAC for each account, so it says
 * nothing about an account and proves nothing else.
 */
import { limits } from '../../contract/limits.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../kernel/secrets/crypto.ts'
import { findNetwork } from '../http/visitor-address.ts'
import type { Attempt } from './rates.ts'
import type { PortalVisit } from './visit.ts'

/** Accounts that a browser is recognized for; the latest stay. */
const ACCOUNTS_MAX = 5

/** `account` is the email address of a person, or the id of an app and the address of its user. */
export function isKnownBrowser(
  visit: Omit<Pick<PortalVisit, KnownParts>, 'reply'>,
  account: string,
): boolean {
  const macs = readMacs(visit)
  return holdsUnderAnyKey(visit.runtime.seal, (key) => {
    const mac = macOfAccount(key, account)
    return macs.some((one) => sameText(one, mac))
  })
}

export function rememberBrowser(visit: Pick<PortalVisit, KnownParts>, account: string): void {
  const mac = macOfAccount(visit.runtime.seal, account)
  const macs = [mac, ...readMacs(visit).filter((one) => one !== mac)].slice(0, ACCOUNTS_MAX)
  visit.cookies.set(visit.reply, 'known', { value: macs.join('.'), kept_s: limits.known_browser_s })
}

/** An attempt to sign in to an account, for its rate limits. */
export function attemptAt(visit: PortalVisit, email: string): Attempt {
  const { device, request } = visit
  const large_network = findNetwork(request.ip, 48)
  return { email, network: device.network, large_network, is_known: isKnownBrowser(visit, email) }
}

type KnownParts = 'runtime' | 'cookies' | 'request' | 'reply'

function readMacs({ cookies, request }: Pick<PortalVisit, 'cookies' | 'request'>): string[] {
  const macs = (cookies.read(request, 'known') ?? '').split('.', ACCOUNTS_MAX)
  return macs.filter((one) => one !== '')
}

function macOfAccount(key: MacKey, account: string): string {
  return key.mac(account, 'people.known_browser').toString('base64url').slice(0, 22)
}

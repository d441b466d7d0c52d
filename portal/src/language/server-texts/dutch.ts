/** Messages of the server, which are English, in Dutch. */
import { dutchCalls } from './dutch-calls.ts'
import { dutchDetails } from './dutch-details.ts'
import { dutchErrors } from './dutch-errors.ts'
import { dutchFields } from './dutch-fields.ts'
import { dutchOfAreas } from './dutch-of-areas.ts'
import { dutchLosses } from './dutch-losses.ts'
import { dutchSites } from './dutch-sites.ts'
import { lookupIn } from './patterns.ts'

const lookup = lookupIn({
  ...dutchCalls,
  ...dutchErrors,
  ...dutchOfAreas,
  ...dutchLosses,
  ...dutchSites,
  ...dutchFields,
  ...dutchDetails,
})

/** A message without a Dutch text stays English, because it says more than none. */
export function messageInDutch(message: string): string {
  return lookup(message) ?? message
}

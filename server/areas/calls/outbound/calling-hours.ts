/** The hours in which a person may be called, in every time zone of the country of the number. */
import { parsePhoneNumber } from '../../../kernel/values/phone-numbers.ts'

const FIRST_HOUR = 8
const LAST_HOUR = 21
const SUNDAY = 7

/** The calling hours as a text for people. */
const hoursText = `${FIRST_HOUR}:00 to ${LAST_HOUR}:00 where the person is`

/**
 * Returns why a person may not be called now, as a sentence; null if they may. A country with
 * several zones is called only when it is day in all of them.
 */
export function findHoursFault(
  e164: string,
  { now, marketing }: { now: Date; marketing: boolean },
): string | null {
  const country = parsePhoneNumber(e164)?.country
  if (country === undefined) return null
  const zones = new Intl.Locale(`und-${country}`).getTimeZones?.() ?? []
  for (const zone of zones) {
    const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone)
    const is_night = there.hour < FIRST_HOUR || there.hour >= LAST_HOUR
    if (!is_night && !(marketing && there.dayOfWeek === SUNDAY)) continue
    const time = there.toPlainTime().toString({ smallestUnit: 'minute' })
    const not_on = marketing ? ', and for marketing not on Sundays' : ''
    return `It is ${time} in ${zone}. Calls are allowed from ${hoursText}${not_on}.`
  }
  return null
}

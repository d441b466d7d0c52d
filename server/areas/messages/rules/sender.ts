/** Which senders a message may name: an active number of the project, or a name of letters. */

const NAME_CHARACTERS_MIN = 3
const NAME_CHARACTERS_MAX = 11

const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  l: 'i',
}

/** Lower-case letters and digits, with one form for characters that look alike, as in lNG or P0stNL. */
function skeletonOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll(/[0134578l]/g, (character) => lookalikes[character] ?? character)
}

const skeletonsOf = (words: string) => words.split(' ').map(skeletonOf)

/** Names of institutions and brands that fraudulent messages imitate. */
const reserved = new Set(
  skeletonsOf(
    'police politie polizei 112 911 999 gov govuk hmrc nhs overheid rijksoverheid belastingdienst ' +
      'belasting digid mijnoverheid duo uwv svb cjib rdw kvk toeslagen fiscus taxoffice finanzamt ' +
      'bank mybank yourbank bankalert ing rabobank abnamro abn snsbank bunq knab triodos revolut n26 ' +
      'kbc belfius argenta bnp sparkasse commerzbank barclays hsbc lloyds natwest santander ideal ' +
      'visa mastercard amex paypal klarna tikkie bitcoin coinbase binance postnl dhl ups fedex dpd ' +
      'gls bpost royalmail evri apple icloud google microsoft amazon facebook instagram whatsapp ' +
      'meta netflix spotify kpn vodafone tmobile odido telekom orange verify authmsg security alert ' +
      'admin support sms info notice',
  ),
)

/** Words that are reserved in a name of several words, such as ING Bank. Others are in honest names. */
const reservedWords = new Set(
  skeletonsOf(
    'overheid hmrc nhs digid uwv svb cjib rdw toeslagen bank ing rabobank abnamro abn snsbank bunq ' +
      'knab triodos revolut kbc belfius bnp barclays hsbc lloyds natwest santander tikkie klarna dhl ' +
      'fedex dpd gls bpost',
  ),
)

/** Parts that are reserved in a name of any form, such as MyBank24. */
const reservedParts = skeletonsOf('police politie belasting digid paypal postnl rabobank')

/** The reason why a sender name is unusable, as the end of a sentence; null if it is usable. */
export function findNameFault(name: string): string | null {
  if (!/^[A-Za-z0-9 +_&-]+$/.test(name)) {
    return 'may have letters, digits, spaces and + _ & - only'
  }
  if (name.length < NAME_CHARACTERS_MIN || name.length > NAME_CHARACTERS_MAX) {
    return `must have ${NAME_CHARACTERS_MIN} to ${NAME_CHARACTERS_MAX} characters`
  }
  if (!/^[A-Za-z]/.test(name) || name.endsWith(' ')) {
    return 'must begin with a letter and not end with a space'
  }
  return isReserved(name) ? 'is reserved, because fraudulent messages often use it' : null
}

function isReserved(name: string): boolean {
  const whole = skeletonOf(name)
  if (reserved.has(whole) || reservedParts.some((part) => whole.includes(part))) return true
  return name.split(/[^A-Za-z0-9]+/).some((word) => reservedWords.has(skeletonOf(word)))
}

/**
 * The texts of error pages. Problems state their message for users in English; the messages that
 * these pages can show have a Dutch text here, and others stay English.
 */
import { limits } from '../../../contract/limits.ts'
import type { PageLanguage } from '../../html/language.ts'

const titlesInEnglish: Readonly<Record<number, string>> = {
  403: 'Access denied',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
}

const en = {
  titles: titlesInEnglish,
  failed: 'Request failed',
  back: 'Back to your projects',
}

const nl: typeof en = {
  titles: {
    403: 'Geen toegang',
    404: 'Pagina niet gevonden',
    429: 'Te veel pogingen',
    503: 'Tijdelijk niet beschikbaar',
  },
  failed: 'Dat is niet gelukt',
  back: 'Terug naar uw projecten',
}

export const problemTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

/** Returns the Dutch text of a message; the message itself if it has none. */
export function translateMessage(message: string): string {
  const known = dutchMessages[message]
  if (known !== undefined) return known
  const decided = /^([^\s@]+@[^\s@]+) already (approved|rejected) this\.$/.exec(message)
  if (decided) {
    return `${decided[1]} heeft dit al ${decided[2] === 'approved' ? 'goedgekeurd' : 'afgewezen'}.`
  }
  const minutes = /^Too many attempts\. Please wait (a minute|\d+ minutes), then try again\.$/.exec(
    message,
  )?.[1]
  if (minutes === undefined) return message
  const wait = minutes === 'a minute' ? 'een minuut' : minutes.replace('minutes', 'minuten')
  return `Te veel pogingen. Wacht ${wait} en probeer het dan opnieuw.`
}

const note_characters_max = limits.approval_note_characters_max

const dutchMessages: Readonly<Record<string, string>> = {
  'The portal has no such page.': 'Deze pagina bestaat niet in het portaal.',
  'There is no such project, or you are not in its team.':
    'Dit project bestaat niet, of u zit niet in het team.',
  'This form was sent from another site, so nothing was done.':
    'Dit formulier is vanaf een andere site verstuurd, dus er is niets gedaan.',
  'Only an owner can do this.': 'Alleen een eigenaar kan dit doen.',
  'Only a member with the role admin or above can do this.':
    'Alleen een lid met de rol beheerder of hoger kan dit doen.',
  'Only a member with the role member or above can do this.':
    'Alleen een lid met de rol lid of hoger kan dit doen.',
  'This link is incomplete or no longer valid.': 'Deze link is onvolledig of niet meer geldig.',
  'Too many appeals were sent from this address within an hour. Please try again later.':
    'Vanaf dit adres zijn binnen een uur te veel bezwaren gestuurd. Probeer het later opnieuw.',
  'Too many attempts. Please wait a few minutes, then connect again.':
    'Te veel pogingen. Wacht een paar minuten en maak dan opnieuw verbinding.',
  'This approval expired before a decision, so nothing was done.':
    'Deze goedkeuring is verlopen voor een besluit, dus er is niets gedaan.',
  'This request was withdrawn, so nothing was done.':
    'Dit verzoek is ingetrokken, dus er is niets gedaan.',
  'This approval was changed since you read it. Review it again before you decide.':
    'Deze goedkeuring is gewijzigd sinds u haar las. Bekijk haar opnieuw voordat u beslist.',
  'What this changes is different now, so nothing was done.':
    'Wat dit verandert is nu anders, dus er is niets gedaan.',
  'What this changes is different now. Review it again before you decide.':
    'Wat dit verandert is nu anders. Bekijk het opnieuw voordat u beslist.',
  'The cost has changed since approval was requested. Review it again before you decide.':
    'De kosten zijn gewijzigd sinds om goedkeuring is gevraagd. Bekijk haar opnieuw voordat u beslist.',
  [`A note has at most ${note_characters_max} characters.`]: `Een notitie heeft ten hoogste ${note_characters_max} tekens.`,
}

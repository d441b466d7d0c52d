/** Replies by which people opt out of messages, or in again. */

const stops = new Set(
  (
    'stop stopall unsubscribe cancel end quit optout revoke afmelden uitschrijven stoppen abmelden ' +
    'stopp abbestellen arret desabonner'
  ).split(' '),
)
const starts = new Set('start unstop optin aanmelden anmelden'.split(' '))

/** A longer text is a message to the business, also if it begins with such a word. */
export function readStopWord(text: string): 'stop' | 'start' | null {
  const word = text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
  const count = text.trim().split(/\s+/).length
  if (count > 2) return null
  if (stops.has(word)) return 'stop'
  return starts.has(word) ? 'start' : null
}

/** The texts of the error page of a client that cannot be connected. */
import type { PageLanguage } from '../html/language.ts'

const en = {
  title: 'Not connected',
  heading: 'Connection failed',
  for_developer: 'For the developer of the program:',
  too_late:
    'This connection request has expired, or was started in another browser. No access was ' +
    'granted. Start again in the program that you want to connect.',
  unavailable: 'An error occurred. No access was granted. Try again in a moment.',
  invalid:
    'The request of the program is invalid or unsafe, so no access was granted and you were not ' +
    'redirected to it. Start again in the program. If that does not help, report the error below ' +
    'to its developer.',
}

const nl: typeof en = {
  title: 'Niet verbonden',
  heading: 'Verbinden is mislukt',
  for_developer: 'Voor de ontwikkelaar van het programma:',
  too_late:
    'Dit verzoek om verbinding is verlopen, of in een andere browser begonnen. Er is geen toegang ' +
    'gegeven. Begin opnieuw in het programma dat u wilt verbinden.',
  unavailable:
    'Er is een fout opgetreden. Er is geen toegang gegeven. Probeer het zo meteen opnieuw.',
  invalid:
    'Het verzoek van het programma is ongeldig of onveilig. Daarom is er geen toegang gegeven en ' +
    'bent u er niet naar teruggestuurd. Begin opnieuw in het programma. Helpt dat niet, meld de ' +
    'fout hieronder dan aan de ontwikkelaar.',
}

export const errorTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

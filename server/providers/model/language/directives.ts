/**
 * Separates sentences of the owner's instructions that give the assistant an order from those that
 * describe the business. Only the latter may be said to callers, so a doubtful sentence counts as
 * an order.
 */
import { callerWords, directivePhrases } from './phrases.ts'

const split = (words: string) => words.split(' ')

/** Verbs for what an assistant does in a conversation, as they begin an order. */
const spokenOrders = new Set(
  split(
    'quote confirm mention discuss promise reveal disclose share talk comment commit guarantee agree ' +
      'accept note recommend admit apologise apologize invent guess give book arrange read ' +
      'pass write send direct forward invite encourage suggest remember assume pretend sound ' +
      'bevestig beloof noteer praat verzet bespreek meld deel verklap garandeer raad adviseer ' +
      'accepteer boek plan schrijf stuur lees onthoud lach klink toon reageer spreek ' +
      'bestatige bestatigen erwahne erwahnen versprich versprechen rede reden verrate verraten ' +
      'notiere notieren vereinbare empfiehl empfehlen garantiere gib geben lies ' +
      'schreibe schreib leite bespreche besprich klinge reagiere ' +
      'confirme confirmez mentionne mentionnez promets promettez donne donnez note notez ' +
      'confirma confirme menciona mencione promete prometa anota conferma confermi menziona ' +
      'prometti prometta annota',
  ),
)
const negations = new Set(
  split(
    'never not no nothing nobody nooit niet geen niets niemand nie niemals nicht kein keine keinen ' +
      'keinem keiner nichts niemanden jamais pas aucun aucune rien nunca jamas nada mai nessun nessuna',
  ),
)
/** Subjects and finite verbs. Before a negation they mark a statement, not an order. */
const ofStatements = new Set(
  split(
    'we our i it there they you is are was can may must will do does has have wij we ons onze ik het er ' +
      'u zij zijn mag mogen kan kunt kunnen wordt worden hebben heeft moet moeten gaat wir unser unsere ' +
      'ich es sie ist sind darf durfen kann konnen wird werden haben hat muss mussen nous notre nos il ' +
      'elle on est sont nosotros nuestro nuestra es esta son noi nostro nostra e sono',
  ),
)
const NEGATION_WORDS_MAX = 7
const secrets =
  /\b(?:secret|confidential|internal only|internally|geheim|vertrouwelijk|vertraulich|intern|confidentiel|confidencial|riservato|nobody may know|niemand mag weten|darf niemand wissen)\b/
const speaking =
  /\b(?:mention|quot|confirm|disclos|discuss|reveal|told|tell|say|said|genoemd|noemen|bevestig|besproken|bespreken|gezegd|zeggen|vertel|doorgegeven|genannt|nennen|bestatig|besproch|besprech|gesagt|sagen|erwahn|verrat|weitergegeben|zugesagt|zusagen|versproch|versprech|vereinbar|toegezegd|toezegg|belo[of]|promis)/
const forbidding =
  /\b(?:never|not|don t|no|nooit|niet|geen|niets|nie|niemals|nicht|kein|keine|keinen|nichts)\b/

const noting =
  /\b(?:message|bericht|boodschap|nachricht|doorverbind|put through|transfer call|durchstell|weiterverbind|name and|naam en|namen und|call ?back|terugbel)/
const addressing = /\b(?:we|our|you|your|wij|we|ons|onze|u|uw|wir|unser|unsere|sie|ihr|ihre)\b/

/** Whether a folded sentence of the instructions, or a clause of it, tells the assistant what to do. */
export function isOrder(folded: string, clauses: readonly string[]): boolean {
  if (callerWords.some((entry) => ` ${folded} `.includes(` ${entry} `))) return true
  // "Prices must not be mentioned", "take a message": what to say or to write down.
  if (secrets.test(folded) || (speaking.test(folded) && forbidding.test(folded))) return true
  if (noting.test(folded) && !addressing.test(folded)) return true
  return startsWithOrder(folded) || clauses.some((clause) => isImperative(clause.split(' ')))
}

function startsWithOrder(folded: string): boolean {
  return directivePhrases.some((entry) => `${folded} `.startsWith(`${entry} `))
}

const joints = new Set(split('but and so maar en dus aber und also sondern mais et pero y ma e'))

/** "Erwähne die Lieferanten nicht": a negation early on, and no subject or finite verb before it. */
function isImperative([first = '', ...rest]: readonly string[]): boolean {
  if (joints.has(first)) return isImperative(rest)
  if (spokenOrders.has(first)) return true
  const words = [first, ...rest]
  const at = words.findIndex((word) => negations.has(word))
  if (at < 1 || at > NEGATION_WORDS_MAX) return false
  return !words.slice(0, at + 1).some((word) => ofStatements.has(word))
}

/**
 * The faults of a plan in the words of the page. The server describes them in the terms of the API;
 * a message that is not here is shown as the server wrote it.
 */
import { useMemo } from 'react'
import { defineTexts, type Translate } from '../../../../language/texts.ts'

const useProblemTexts = defineTexts('plan_problems', {
  en: {
    required: 'Fill this in.',
    phone: 'This is no phone number. One of another country begins with +.',
    written: 'Write it as {{value}}.',
    no_step: 'Choose a step: “{{value}}” is not in the plan.',
    entry: 'The plan has no first step. Choose one.',
    no_nodes: 'The plan has no step yet. Add one.',
    hours: 'Fill in the opening hours.',
    date: 'This date does not exist.',
    closed: 'Say that it is closed, or from when to when it is open.',
    same_times: 'It ends at the time at which it begins.',
    rule: 'Say which callers this rule is for.',
    language: 'Write a language such as nl or en-GB.',
    time: 'Write a time such as 09:00.',
    key: 'A key is a digit from 0 to 9, * or #.',
    at_least: 'At least {{value}}.',
    at_most: 'At most {{value}}.',
    characters: 'At most {{value}} characters.',
    circle:
      'The call would go in a circle: {{value}}. Put a step between that waits for the caller.',
    unreachable: 'No step leads here, so no call reaches it.',
    no_field: '“{{value}}” has no effect in this step.',
    meant: '“{{value}}” has no effect in this step. Is “{{other}}” meant?',
    goto: 'Choose a step or a plan at which the call continues.',
    goto_both: 'Choose a step or a plan, and not both.',
    greeting: 'Write a greeting, or choose an audio file.',
    greeting_both: 'Write a greeting or choose an audio file, and not both.',
    audio: 'Choose an MP3 or WAV file of the media library.',
    transcribe: 'A voicemail is always kept as text.',
    only_mobile: 'Only mobile phones get text messages.',
    emergency: 'Calls are not put through to emergency numbers.',
    short: 'Calls are not put through to short numbers.',
    satellite: 'Calls are not put through to satellite numbers.',
    itself: 'This is the number that is called, so the call would go in a circle.',
    own: 'This is a number of this project, so the call could go in a circle.',
    fiction: 'This number is for tests, and no phone answers it.',
    invalid: 'This is not a phone number.',
    premium: 'Calls are not put through to premium-rate numbers.',
  },
  nl: {
    required: 'Vul dit in.',
    phone: 'Dit is geen telefoonnummer. Een nummer van een ander land begint met +.',
    written: 'Schrijf het als {{value}}.',
    no_step: 'Kies een stap: “{{value}}” staat niet in het plan.',
    entry: 'Het plan heeft geen eerste stap. Kies er een.',
    no_nodes: 'Het plan heeft nog geen stap. Voeg er een toe.',
    hours: 'Vul de openingstijden in.',
    date: 'Deze datum bestaat niet.',
    closed: 'Geef aan dat het gesloten is, of van wanneer tot wanneer het open is.',
    same_times: 'Het eindigt op de tijd waarop het begint.',
    rule: 'Geef aan voor welke bellers deze regel geldt.',
    language: 'Schrijf een taal zoals nl of en-GB.',
    time: 'Schrijf een tijd zoals 09:00.',
    key: 'Een toets is een cijfer van 0 tot 9, * of #.',
    at_least: 'Minstens {{value}}.',
    at_most: 'Hoogstens {{value}}.',
    characters: 'Hoogstens {{value}} tekens.',
    circle: 'Het gesprek zou rondgaan: {{value}}. Zet er een stap tussen die op de beller wacht.',
    unreachable: 'Geen stap leidt hierheen, dus geen gesprek komt hier.',
    no_field: '“{{value}}” heeft geen effect in deze stap.',
    meant: '“{{value}}” heeft geen effect in deze stap. Is “{{other}}” bedoeld?',
    goto: 'Kies een stap of een plan waar het gesprek verdergaat.',
    goto_both: 'Kies een stap of een plan, en niet allebei.',
    greeting: 'Schrijf een begroeting of kies een geluidsbestand.',
    greeting_both: 'Schrijf een begroeting of kies een geluidsbestand, en niet allebei.',
    audio: 'Kies een mp3- of wav-bestand van de mediabibliotheek.',
    transcribe: 'Een voicemail wordt altijd als tekst bewaard.',
    only_mobile: 'Alleen mobiele telefoons krijgen sms.',
    emergency: 'Gesprekken worden niet doorverbonden met noodnummers.',
    short: 'Gesprekken worden niet doorverbonden met korte nummers.',
    satellite: 'Gesprekken worden niet doorverbonden met satellietnummers.',
    itself: 'Dit is het gebelde nummer, dus het gesprek zou rondgaan.',
    own: 'Dit is een nummer van dit project, dus het gesprek zou kunnen rondgaan.',
    fiction: 'Dit nummer is voor tests, en geen telefoon neemt op.',
    invalid: 'Dit is geen telefoonnummer.',
    premium: 'Gesprekken worden niet doorverbonden met betaalnummers.',
  },
})

type Key = Parameters<Translate<typeof useProblemTexts.table>>[0]

/** The groups of a pattern are `value` and `other` of its text. */
const patterns: readonly [pattern: RegExp, key: Key][] = [
  [/^is required$/, 'required'],
  [/^must not be empty$/, 'required'],
  [/^is required when source is 'custom'$/, 'hours'],
  [/^must be a phone number in E\.164 form/, 'phone'],
  [/^must be written as (.*)$/, 'written'],
  [/^names the node "", which is not in nodes$/, 'required'],
  [/^names the node "(.*)", which is not in nodes$/, 'no_step'],
  [/^must have at least one node$/, 'no_nodes'],
  [/^must be a date/, 'date'],
  [/^must have closed: true or ranges$/, 'closed'],
  [/^must not be the same as from$/, 'same_times'],
  [/^must have prefixes, numbers or anonymous$/, 'rule'],
  [/^must be a language tag/, 'language'],
  [/^must be a time/, 'time'],
  [/^must be a key of the phone/, 'key'],
  [/^must (?:have|be) at least (\d+)$/, 'at_least'],
  [/^must have at most (\d+) characters$/, 'characters'],
  [/^must (?:have|be) at most (\d+)$/, 'at_most'],
  [/^closes a loop without any caller input: (.*)$/, 'circle'],
  [/^No node leads to /, 'unreachable'],
  [/^"([^"]*)" is not a field of [^.]*\. Did you mean "([^"]*)"\?$/, 'meant'],
  [/^"([^"]*)" is not a field of /, 'no_field'],
  [/^must have node or plan$/, 'goto'],
  [/^must not have both node and plan$/, 'goto_both'],
  [/^must have text or mediaId$/, 'greeting'],
  [/^must not have both text and mediaId$/, 'greeting_both'],
  [/^must be (?:an MP3 or WAV|the id of a) file of the media library$/, 'audio'],
  [/^"transcribe": false has no effect/, 'transcribe'],
  [/^"onlyMobile": false has no effect/, 'only_mobile'],
  [/^is an emergency number$/, 'emergency'],
  [/^is a short number$/, 'short'],
  [/^is a satellite or international network number$/, 'satellite'],
  [/^is the called number itself/, 'itself'],
  [/^is another number of this project/, 'own'],
  [/^is a fictional or test number/, 'fiction'],
  [/^is not a valid phone number$/, 'invalid'],
  [/^is a premium-rate number$/, 'premium'],
]

/** Translates a message of the server. `path` is where it belongs, as a JSON Pointer. */
export type ProblemWords = (message: string, path: string) => string

export function useProblemWords(): ProblemWords {
  const t = useProblemTexts()
  return useMemo(
    (): ProblemWords => (message, path) => {
      if (path === '/entry') return t('entry')
      for (const [pattern, key] of patterns) {
        const found = pattern.exec(message)
        if (found !== null) return t(key, { value: found[1] ?? '', other: found[2] ?? '' })
      }
      return message
    },
    [t],
  )
}

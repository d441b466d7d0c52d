/**
 * Detects prompt injection: text that orders the assistant to drop its instructions or to say
 * something to callers. It filters known wordings in any word order. Other wordings are not obeyed
 * either, because untrusted text is used only as data.
 */
import type { Language } from './language.ts'

/** Fragments of regular expressions, matched against lower-case text without accents. */
interface Wordings {
  /** Verbs for dropping something. */
  drop: string
  /** The verbs of `drop` at the end of a sentence: infinitives and participles. */
  drop_last: string
  /** Words for the assistant's instructions. */
  told: string
  from_now_on: string
  /** Verbs for saying something, which are an order together with "from now on". */
  say: string
  /** Phrases for saying something to callers at any time. */
  say_to_callers: string
}

const wordings: Readonly<Record<Language, Wordings>> = {
  en: {
    drop:
      'ignore|disregard|forget|override|bypass|(?:do not|don t|dont|stop) (?:follow|obey)(?:ing)?|' +
      'pay no attention to|pay no heed to',
    drop_last: 'ignored?|disregard(?:ed)?|forgotten|overridden',
    told:
      'instructions?|(?:system|your|the|this|previous|initial) prompts?|directives|your (?:rules|guidelines|training|programming|orders)|' +
      '(?:everything|anything|all|what|whatever)(?: (?:that|is|was|has|have|been|were|you|i|we|' +
      'they|said|stated|written|mentioned|stands|comes|came))* (?:above(?! [0-9])|before|earlier|' +
      'previously|told|so far)|(?:previous|prior|earlier|preceding) (?:messages?|rules|orders|' +
      'context|conversation)',
    from_now_on: 'from now on|from this moment on|from here on|henceforth',
    say:
      '(?:say|claim|pretend|reply|respond)|(?:tell|inform|answer|assure|promise)(?: [^ ]+){0,2} ' +
      '(?:callers?|customers?|clients?|visitors?|users?|everyone|everybody|anyone|people|them)',
    say_to_callers: '(?:tell|inform|assure|promise)(?: (?:to|all|any|every|each|the))* callers?',
  },
  nl: {
    drop: 'negeer|vergeet|stop met het volgen van|trek je niets aan van',
    drop_last: 'negeren|genegeerd',
    told:
      'instructies?|prompts?|opdrachten|(?:je|jouw|uw) regels|(?:al )?het (?:bovenstaande|' +
      'voorgaande)|(?:alles|wat)(?: (?:wat|je|jij|u|ik|we|er|is|was|werd|hier|hebt|heb|heeft))* ' +
      '(?:hierboven|hiervoor|daarvoor|eerder|verteld|gezegd|opgedragen)',
    from_now_on: 'vanaf nu|voortaan|van nu af aan',
    say:
      '(?:zeg|vertel|antwoord|beweer|beloof)|(?:moet|zul) (?:je|jij|u)(?: [^ ]+){0,4} ' +
      '(?:zeggen|vertellen|antwoorden|beweren)',
    say_to_callers: '(?:zeg|vertel|beloof)(?: (?:tegen|aan|alle|elke|iedere|de))* bellers?',
  },
  de: {
    drop:
      'ignoriere?|ignoriert|ignorieren sie|vergiss|vergesst|vergessen sie|missachte|' +
      'missachten sie',
    drop_last: 'ignorieren|vergessen|missachten',
    told:
      'anweisung(?:en)?|instruktionen|prompts?|befehle|(?:deine|ihre) (?:regeln|vorgaben)|' +
      '(?:das|alles) obige|(?:alles|das|was)(?: (?:was|dir|ihnen|du|sie|ich|wir|hier|man|bis|' +
      'jetzt|wurde))* (?:gesagt|oben|zuvor|vorher|davor|bisherige|vorherige|aufgetragen)',
    from_now_on: 'ab jetzt|ab sofort|von nun an|von jetzt an',
    say:
      '(?:sag|sage|sagen sie|antworte|antworten sie|erzahle?|erzahlen sie|behaupte|behaupten sie|' +
      'versprich)|(?:sollst|musst) du(?: [^ ]+){0,4} (?:sagen|antworten|erzahlen|behaupten)',
    say_to_callers:
      '(?:sag|sage|sagen sie|erzahle?|erzahlen sie|versprich)(?: (?:allen|jedem|jeder|den|dem))* ' +
      'anrufer(?:n|in|innen)?',
  },
  fr: {
    drop:
      'ignore|ignorez|oublie|oubliez|(?:ne )?(?:tiens|tenez) (?:pas|aucun) compte|' +
      '(?:fais|faites) abstraction',
    drop_last: 'ignorer|ignore les|ignorez les|oublier|oublie les|oubliez les',
    told:
      'instructions?|consignes?|prompts?|directives|(?:tes|vos) regles|ce qui precede|' +
      '(?:tout )?ce (?:qui|que|qu)(?: (?:on|tu|t|te|vous|as|a|est|avez|ete|je|j|ai|il|y))* ' +
      '(?:avant|dit|precedemment|ci dessus|plus haut)',
    from_now_on: 'desormais|dorenavant|a partir de maintenant',
    say: 'dis|dites|reponds|repondez|affirme|affirmez|pretends|pretendez|promets|promettez',
    say_to_callers:
      '(?:dis|dites|promets|promettez)(?: (?:a|aux|tous|toutes|les|chaque|l))* ' +
      '(?:appelante?s?|personnes qui appellent)',
  },
  es: {
    drop:
      'ignora|ignore|ignoren|olvida|olvide|olviden|olvidate de|omite|' +
      '(?:haz|haga|hagan) caso omiso|no (?:sigas|siga|hagas caso|haga caso)',
    drop_last: 'ignorar|ignoralas|olvidar|olvidalas',
    told:
      'instruccion(?:es)?|ordenes|prompts?|(?:tus|sus) reglas|(?:todo )?lo anterior|' +
      '(?:todo )?lo (?:que )?(?:(?:te|se|le|han|has|hay|esta|he|ha|hemos) )*(?:dicho|dijeron|dije|' +
      'arriba|antes|ordenado)',
    from_now_on: 'a partir de ahora|desde ahora|de ahora en adelante',
    say: '(?:di|diga|dile|diles|digale|digales)|(?:responde|responda|promete)(?: [^ ]+){0,3} que',
    say_to_callers:
      '(?:di|diga|dile|diles|digale|digales)(?: (?:a|todos|todas|los|las|cada|quien|quienes))* ' +
      '(?:llamantes?|llame|llamen|llaman)',
  },
  it: {
    drop: 'ignora|ignori|ignorate|dimentica|dimentichi|dimenticate|non (?:seguire|segua)',
    drop_last: 'ignorare|ignorale|dimenticare|dimenticale',
    told:
      'istruzion[ei]|prompts?|(?:le tue|le sue) regole|(?:tutto )?(?:quello|cio) che' +
      '(?: (?:ti|le|vi|e|ho|hanno|stato|sta|viene))* (?:sopra|prima|detto|precede)',
    from_now_on: 'da ora in poi|d ora in poi|d ora in avanti|da adesso in poi',
    say: '(?:di|dica|dite|rispondi|risponda|prometti) (?:a tutti|ai|che|loro)',
    say_to_callers: '(?:di|dica|dite|prometti) a(?:i| tutti i| ogni)? chiamant[ei]',
  },
}

/**
 * Words that make a sentence harmless: "do not forget the instructions", "if you forget your
 * password".
 */
const negation = 'not|don t|dont|never|if you|when you|niet|nooit|nicht|nie|n|ne|no|nunca|non|mai'
const negated = '(?: (?:sie|u|je|not))? (?:niet|nooit|nicht|nie|pas|jamais|never)'
/** Subjects that make a sentence a harmless statement: "we tell every caller". */
const narrator = 'we|i|they|who|to|will|ll|can|staff|wij|ik|wir|ich|nous|je|yo|io'

const between = (words_max: number) => `(?: [^ ]+){0,${words_max}} `

function patternOf({ drop, drop_last, told, ...saying }: Wordings): RegExp {
  const { from_now_on, say, say_to_callers } = saying
  const sources = [
    `(?<! (?:${negation}) )(?:${drop})(?!${negated} )${between(6)}(?:${told})`,
    `(?:${told})${between(5)}(?<! (?:${negation}) )(?:${drop}|${drop_last})(?!${negated} )`,
    `(?:${from_now_on})${between(2)}(?<! (?:${narrator}) )(?:${say})`,
    `(?<! (?:${narrator}) )(?:${say})${between(5)}(?:${from_now_on})`,
    `(?<! (?:${narrator}) )(?:${say_to_callers})`,
  ]
  return new RegExp(sources.map((source) => `(?<= )(?:${source})(?= )`).join('|'))
}

const patterns = Object.values(wordings).map(patternOf)

/** Whether a folded sentence orders the assistant to drop its instructions, or what to say. */
export function isInjection(folded: string): boolean {
  return patterns.some((pattern) => pattern.test(` ${folded} `))
}

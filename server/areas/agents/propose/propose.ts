/**
 * Proposes an agent for a sentence: fixed steps where the sentence fits them, else actions for a
 * language model. The person tries and enables it; nothing is created here.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { BUILTIN, listModels } from '../../../providers/model/model.ts'
import { findRunner } from '../../approvals/service.ts'
import * as assistant from '../../assistant/service.ts'
import { isTimezone } from '../../data/service.ts'
import { checkDefinition, NOTIFY_OWNER } from '../definition/check.ts'
import { complete } from '../present.ts'
import type { AgentInput, AgentStep } from '../schema.ts'
import { readCondition, readEvent, readSchedule, type EventKind } from './read-trigger.ts'
import type { Proposal, ProposalInput } from './schema.ts'

interface Wish {
  /** The sentence in lower case. */
  sentence: string
  /** The name of the collection that the sentence is about; null without one. */
  collection: string | null
  /** Its title, which may be the only one of the two that is in the sentence. */
  title: string | null
  say(en: string, nl: string): string
  timezone: string
}

const NAME_CHARACTERS_MAX = 60
/** The owner wants to be told, and not somebody else. */
const asks =
  /\b(?:mail|e-?mail|send|tell|notify|warn|give|show|stuur|meld|vertel|waarschuw|geef|toon)(?:en)?\s(?:me|us|mij|me|ons|a mail to me)\b|\blet me know\b|\blaat (?:me|mij|ons) weten\b/
/** A sentence without the person it is for, such as "mail an overview", is for the owner. */
const overview = /\b(?:overview|summary|report|overzicht|samenvatting|rapport)\b/
const outsider =
  /@|\bsms\b|\btext me\b|\b(?:customers?|clients?|suppliers?|accountant|bookkeeper|klant(?:en)?|leveranciers?|boekhouder)\b/
const target = /\b(?:to|for|naar|aan|voor)\s(?:(?:the|de|het)\s)?(\p{L}+)/gu
/** Words after `to` and `for` that name the owner, a time, a subject or an act, and not another person. */
const notOthers = new Set(
  (
    'me us my our myself mij mezelf mijzelf ons mijn onze ' +
    'today yesterday day week month this last past end begin ' +
    'vandaag gisteren dag maand deze dit afgelopen eind ' +
    'new all orders sales questions calls nieuwe alle bestellingen vragen gesprekken ' +
    'get have know receive see'
  ).split(' '),
)

function tellsOwner(sentence: string): boolean {
  if (asks.test(sentence)) return true
  const names = [...sentence.matchAll(target)].map(([, name = '']) => name)
  return (
    overview.test(sentence) &&
    !outsider.test(sentence) &&
    names.every((name) => notOthers.has(name))
  )
}

export async function propose(
  caller: Caller,
  { description, language = 'en', timezone: given }: ProposalInput,
): Promise<Proposal> {
  const timezone = given ?? (await assistant.findTimezone(caller.db, caller.project.id)) ?? 'UTC'
  if (!isTimezone(timezone)) throw notUnderstood('The time zone is unknown.')
  const sentence = description.toLowerCase()
  const say = (en: string, nl: string) => (language === 'nl' ? nl : en)
  const { name: collection = null, title = null } = (await findCollection(caller, sentence)) ?? {}
  const wish: Wish = { sentence, collection, title, say, timezone }
  const found = proposeSteps(wish)
  const agent: AgentInput = {
    name: nameOf(description),
    instructions: description,
    ...(found ?? proposeActions(caller, wish)),
  }
  checkDefinition(caller, complete(agent))
  return { mode: found ? 'steps' : 'model', agent: { ...agent, status: 'disabled' } }
}

function nameOf(description: string): string {
  const [line = ''] = description.trim().split(/[\n.!?]/)
  return line.length <= NAME_CHARACTERS_MAX ? line : `${line.slice(0, NAME_CHARACTERS_MAX - 1)}…`
}

interface Named {
  name: string
  title?: string | null
}

/** The collection whose name or title is in the sentence, the longest first. */
async function findCollection(caller: Caller, sentence: string): Promise<Named | null> {
  if (!caller.scopes.has('data:read')) return null
  const listed = findRunner(caller.runtime).prepare('collections.list', { limit: 100 })
  const { data }: { data: Named[] } = JSON.parse(await listed.run(caller))
  const flat = (text: string) => text.toLowerCase().replaceAll(/[-_\s]/g, '')
  const said = flat(sentence)
  const isNamed = (name: string) => {
    const one = flat(name).replace(/(?:s|en)$/, '')
    return one.length > 2 && said.includes(one)
  }
  const named = data.filter(({ name, title }) => isNamed(name) || isNamed(title ?? ''))
  return named.toSorted((one, other) => other.name.length - one.name.length)[0] ?? null
}

type Work = Pick<AgentInput, 'trigger'> & { steps: AgentStep[] }

/** Returns null if the sentence fits no fixed steps. */
function proposeSteps(wish: Wish): Work | null {
  const { sentence, timezone } = wish
  const trigger = readSchedule(sentence, timezone)
  if (trigger) {
    if (!tellsOwner(sentence)) return null
    const steps = report(wish, trigger.type === 'schedule' ? periodOf(trigger.cron) : 'day')
    return steps && { trigger, steps }
  }
  const event = readEvent(sentence)
  if (event && !isDocument(wish, event.kind)) {
    const steps = react(wish, event.kind)
    return steps && { trigger: event.trigger, steps }
  }
  return wish.collection !== null && asks.test(sentence) ? watch(wish, wish.collection) : null
}

/** An order is a document where a collection is called so, unless it is paid. */
function isDocument({ sentence, collection, title }: Wish, kind: EventKind): boolean {
  return (
    kind === 'order' &&
    /order|bestel/i.test(`${collection} ${title}`) &&
    asks.test(sentence) &&
    !/\bpa(?:id|ys?|yments?)\b|\bbeta(?:ald|alt|ling)/.test(sentence)
  )
}

const periods = {
  day: { days: 1, since: '{{today_start}}' },
  week: { days: 7, since: '{{week_ago}}T00:00:00Z' },
  month: { days: 31, since: '{{month_ago}}T00:00:00Z' },
} as const

/** The period between two runs, by a cron of readSchedule. */
function periodOf(cron: string): keyof typeof periods {
  const [, , day, , weekday = ''] = cron.split(' ')
  if (day !== '*') return 'month'
  return /^\d$/.test(weekday) ? 'week' : 'day'
}

/** Looks something up and mails it to the owner if there is any. */
function report(
  { sentence, collection, say }: Wish,
  period: keyof typeof periods,
): AgentStep[] | null {
  const { days, since } = periods[period]
  const steps = (look: Omit<AgentStep, 'name'>, subject: string, shown: string): AgentStep[] => [
    { ...look, name: 'found' },
    {
      when: 'steps.found.reply.data."0" exists',
      action: NOTIFY_OWNER,
      input: { subject, text: `${subject}:\n\n{{steps.found.reply.data.*${shown}}}` },
    },
  ]
  if (collection !== null) {
    const filter = `created_at > @now - ${days}d`
    const input = { name: collection, filter, sort: 'created_at', limit: 50 }
    const subject = say(`New in ${collection}`, `Nieuw in ${collection}`)
    return steps({ action: 'documents.list', input }, subject, '.data')
  }
  if (/\borders?\b|\bsales\b|\bbestelling/.test(sentence)) {
    const subject = say('Orders', 'Bestellingen')
    const input = { since, limit: 50 }
    return steps({ action: 'orders.list', input }, subject, '.number+status+amount_eur')
  }
  if (/\bquestions?\b|\bvragen\b/.test(sentence)) {
    const subject = say('Questions without an answer', 'Vragen zonder antwoord')
    return steps(
      { action: 'unanswered_questions.list', input: { limit: 20 } },
      subject,
      '.question',
    )
  }
  if (/\bcalls?\b|\bcallers?\b|\bgesprek|\btelefoontjes\b|\bbellers\b/.test(sentence)) {
    const subject = say('Calls', 'Gesprekken')
    return steps({ action: 'calls.list', input: { since, limit: 50 } }, subject, '.from+status')
  }
  return null
}

function react({ sentence, say }: Wish, kind: EventKind): AgentStep[] | null {
  if (
    kind === 'call' &&
    /\b(?:text|sms|message|bericht)\b/.test(sentence) &&
    !asks.test(sentence)
  ) {
    const text = say(
      'Sorry that we missed your call. How can we help? {{project.name}}',
      'Sorry dat wij uw telefoontje misten. Waarmee kunnen wij helpen? {{project.name}}',
    )
    return [{ action: 'messages.send', input: { to: '{{event.data.call.from}}', text } }]
  }
  if (!asks.test(sentence)) return null
  const mails: Readonly<Record<EventKind, readonly [string, string]>> = {
    order: [
      say(
        'Order {{event.data.order.number}} is paid',
        'Bestelling {{event.data.order.number}} is betaald',
      ),
      '{{event.data.order.amount_eur}} EUR. {{event.data.order.customer}}',
    ],
    call: [
      say('Missed call', 'Gemist gesprek'),
      say(
        '{{event.data.call.from}} called and was missed.',
        '{{event.data.call.from}} belde en werd gemist.',
      ),
    ],
    balance: [
      say('Your balance is low', 'Uw saldo is laag'),
      say('Top it up in the portal.', 'Waardeer het op in de portal.'),
    ],
  }
  const [subject, text] = mails[kind]
  return [{ action: NOTIFY_OWNER, input: { subject, text } }]
}

/** Mails the owner each new document of a collection. */
function watch({ sentence, say }: Wish, collection: string): Work {
  const filter = `collection.name = "${collection}"${readCondition(sentence)}`
  const subject = say(`New in ${collection}`, `Nieuw in ${collection}`)
  return {
    trigger: { type: 'event', event: 'document.created', filter },
    steps: [
      {
        action: NOTIFY_OWNER,
        input: { subject, text: `${subject}:\n\n{{event.data.document.data}}` },
      },
    ],
  }
}

/** Actions by the words of the sentence, for a language model. */
const wanted: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\border|\brefund|\bbestel|\bterugbetal/, ['orders.list', 'orders.refund']],
  [/\bform|\bsign|\bbooking|\bdocument|\bformulier|\baanmeld|\bboeking/, ['documents.list']],
  [/\bmail|\breply|\banswer|\bbeantwoord/, ['emails.create']],
  [/\bsms\b|\btext\b/, ['messages.send']],
  [
    /\bquestion|\bfact|\bvragen\b|\bvraag\b/,
    ['unanswered_questions.list', 'assistant_facts.create'],
  ],
]

function proposeActions(caller: Caller, wish: Wish): Omit<AgentInput, 'name'> {
  const { sentence, collection, timezone } = wish
  if (listModels(caller.runtime.config.model).every((name) => name === BUILTIN))
    throw notUnderstood(
      'This sentence fits no fixed steps, and no language model is configured. Say when the agent ' +
        'starts and what it mails you, use a ready-made agent, or choose the steps yourself.',
    )
  const document = `collection.name = "${collection}"`
  const trigger =
    readSchedule(sentence, timezone) ??
    readEvent(sentence)?.trigger ??
    (collection === null
      ? ({ type: 'manual' } as const)
      : ({ type: 'event', event: 'document.created', filter: document } as const))
  const names = wanted.flatMap(([words, actions]) => (words.test(sentence) ? actions : []))
  const actions = [...names, NOTIFY_OWNER].map((action) => ({ action }))
  return { trigger, actions }
}

function notUnderstood(user_message: string): Problem {
  return new Problem('validation_failed', user_message, { user_message })
}

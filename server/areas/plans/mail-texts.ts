/** The mails about plans, in English and Dutch. Pure. */
import { plans, type Plan } from '../../contract/plans.ts'
import { euroFromMicro, type MicroEuro } from '../../kernel/values/money.ts'
import { formatSize } from '../../kernel/values/size.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
  type MailMessage,
} from '../../providers/mail/mail-contract.ts'
import { pagesOfLimits, type Excess, type LimitName } from './fit.ts'

export type Notice =
  | { kind: 'upgraded'; plan: Plan; due_micro: MicroEuro; price_micro: MicroEuro }
  | { kind: 'downgraded'; plan: Plan; price_micro: MicroEuro }
  | { kind: 'blocked'; plan: Plan; stays: Plan; excess: readonly Excess[] }
  | {
      kind: 'failed'
      plan: Plan
      due_micro: MicroEuro
      /** First day of the owed month. */
      month: string
      reason: string
      next_try_at: Date
      last_try_at: Date
      tries_left: number
    }
  | { kind: 'ended'; plan: Plan; reason: string }
  /** The part of the plan for visitors is full. */
  | { kind: 'visitors_full'; plan: Plan; what: 'files' | 'documents' }

export interface MailContext {
  language: MailLanguage
  project_name: string
  /** The page of the plan. */
  url: string
  page_url(path: string): string
  timezone: string
}

export function writePlanMail(
  notice: Notice,
  context: MailContext,
): Pick<MailMessage, 'subject' | 'text' | 'language' | 'links'> {
  const { language, project_name, url } = context
  const words = language === 'nl' ? dutch : english
  const [subject, ...paragraphs] = words(notice, context)
  return {
    subject: `${subject}: ${shortName(project_name)}`,
    text: joinParagraphs([...paragraphs, url]),
    language,
    links: [{ url, label: language === 'nl' ? 'Abonnement bekijken' : 'See your plan' }],
  }
}

/** Returns the subject, then the paragraphs. */
type Words = (notice: Notice, context: MailContext) => [string, ...string[]]

const english: Words = (notice, context) => {
  const title = plans[notice.plan].title
  switch (notice.kind) {
    case 'upgraded':
      return [
        `Your plan is ${title} now`,
        `The plan ${title} is in effect. ${euro(notice.due_micro, context)} was charged for the rest of this month.`,
        `From the first of next month it costs ${euro(notice.price_micro, context)} a month, without VAT.`,
        'See or change your plan:',
      ]
    case 'downgraded':
      return [
        `Your plan is ${title} now`,
        `The change that you planned is in effect: your plan is ${title}, for ${euro(notice.price_micro, context)} a month, without VAT.`,
        'See or change your plan:',
      ]
    case 'blocked':
      return [
        `Your plan stays ${plans[notice.stays].title}`,
        `The change to ${title} did not take effect, because the project has more than ${title} allows:`,
        listExcess(notice.excess, context),
        `Nothing was deleted. Your plan stays ${plans[notice.stays].title}. Make room, then plan the change again:`,
      ]
    case 'failed':
      return [
        `The payment for your plan failed`,
        `${euro(notice.due_micro, context)} for the plan ${title} in ${month(notice.month, context)} could not be charged: ${reasonIn('en', notice.reason)}`,
        `We will try again on ${date(notice.next_try_at, context)}.` +
          (notice.tries_left === 1
            ? ' If that fails, the project gets the limits of Free. Nothing is deleted.'
            : ` If the last attempt, on ${date(notice.last_try_at, context)}, fails too, the project gets the limits of Free. Nothing is deleted.`),
        'Pay now, or save another card:',
      ]
    case 'ended':
      return [
        'Your plan is Free now',
        `The plan ${title} could not be charged after several attempts: ${reasonIn('en', notice.reason)}`,
        'The project has the limits of Free now. Nothing was deleted: what you have keeps working, but nothing can be added beyond these limits.',
        'Choose a plan again at any time:',
      ]
    case 'visitors_full':
      return [
        'Your forms take nothing more',
        `The ${notice.what} that visitors sent take up the fifth of your plan ${title} that is theirs, so forms on your sites refuse ${notice.what === 'files' ? 'files' : 'entries'}.`,
        'Delete what you no longer need, or choose a larger plan:',
      ]
  }
}

const dutch: Words = (notice, context) => {
  const title = plans[notice.plan].title
  switch (notice.kind) {
    case 'upgraded':
      return [
        `Uw abonnement is nu ${title}`,
        `Het abonnement ${title} is ingegaan. Voor de rest van deze maand is ${euro(notice.due_micro, context)} afgeschreven.`,
        `Vanaf de eerste van volgende maand kost het ${euro(notice.price_micro, context)} per maand, zonder btw.`,
        'Bekijk of wijzig uw abonnement:',
      ]
    case 'downgraded':
      return [
        `Uw abonnement is nu ${title}`,
        `De wijziging die u hebt gepland is ingegaan: uw abonnement is ${title}, voor ${euro(notice.price_micro, context)} per maand, zonder btw.`,
        'Bekijk of wijzig uw abonnement:',
      ]
    case 'blocked':
      return [
        `Uw abonnement blijft ${plans[notice.stays].title}`,
        `De wijziging naar ${title} is niet ingegaan, omdat het project meer heeft dan ${title} toestaat:`,
        listExcess(notice.excess, context),
        `Er is niets verwijderd. Uw abonnement blijft ${plans[notice.stays].title}. Maak ruimte, en plan de wijziging opnieuw:`,
      ]
    case 'failed':
      return [
        'De betaling van uw abonnement is mislukt',
        `${euro(notice.due_micro, context)} voor het abonnement ${title} in ${month(notice.month, context)} kon niet worden afgeschreven: ${reasonIn('nl', notice.reason)}`,
        `We proberen het opnieuw op ${date(notice.next_try_at, context)}.` +
          (notice.tries_left === 1
            ? ' Mislukt dat, dan krijgt het project de grenzen van Free. Er wordt niets verwijderd.'
            : ` Mislukt ook de laatste poging, op ${date(notice.last_try_at, context)}, dan krijgt het project de grenzen van Free. Er wordt niets verwijderd.`),
        'Betaal nu, of bewaar een andere kaart:',
      ]
    case 'ended':
      return [
        'Uw abonnement is nu Free',
        `Het abonnement ${title} kon na meerdere pogingen niet worden afgeschreven: ${reasonIn('nl', notice.reason)}`,
        'Het project heeft nu de grenzen van Free. Er is niets verwijderd: wat u hebt blijft werken, maar boven deze grenzen kan er niets bij.',
        'Kies op elk moment weer een abonnement:',
      ]
    case 'visitors_full':
      return [
        'Uw formulieren nemen niets meer aan',
        `De ${notice.what === 'files' ? 'bestanden' : 'inzendingen'} van bezoekers vullen het vijfde deel van uw abonnement ${title} dat voor hen is. Formulieren op uw sites weigeren daarom nieuwe.`,
        'Verwijder wat u niet meer nodig hebt, of kies een groter abonnement:',
      ]
  }
}

const reasons: Readonly<Record<MailLanguage, Readonly<Record<string, string>>>> = {
  en: {
    insufficient_balance: 'the balance is too low and no card is saved.',
    payment_mandate_missing: 'there is no balance and no saved card.',
    billing_blocked: 'the monthly spending cap would be exceeded.',
    authentication_required: 'the bank asks you to confirm the payment yourself.',
    insufficient_funds: 'the card has too little money.',
    card_expired: 'the card has expired.',
    provider_unavailable: 'the payment provider did not answer.',
  },
  nl: {
    insufficient_balance: 'het tegoed is te laag en er is geen kaart bewaard.',
    payment_mandate_missing: 'er is geen tegoed en geen bewaarde kaart.',
    billing_blocked: 'de maandlimiet zou worden overschreden.',
    authentication_required: 'de bank vraagt u de betaling zelf te bevestigen.',
    insufficient_funds: 'er staat te weinig geld op de kaart.',
    card_expired: 'de kaart is verlopen.',
    provider_unavailable: 'de betaaldienst gaf geen antwoord.',
  },
}
const refused = { en: 'the card was refused.', nl: 'de kaart is geweigerd.' }

/** The reason of a failed payment, as the end of a sentence. */
export function reasonIn(language: MailLanguage, reason: string): string {
  return reasons[language][reason] ?? refused[language]
}

const limitTitles: Readonly<Record<MailLanguage, Readonly<Record<LimitName, string>>>> = {
  en: {
    sites: 'Sites',
    collections: 'Collections',
    data_bytes: 'Data',
    files_bytes: 'Files',
    team_members: 'Team members and invitations',
    live_numbers: 'Live phone numbers',
    live_payments: 'Live payments',
  },
  nl: {
    sites: 'Sites',
    collections: 'Collecties',
    data_bytes: 'Gegevens',
    files_bytes: 'Bestanden',
    team_members: 'Teamleden en uitnodigingen',
    live_numbers: 'Echte telefoonnummers',
    live_payments: 'Echte betalingen',
  },
}

function listExcess(excess: readonly Excess[], { language, page_url }: MailContext): string {
  return excess
    .map(({ name, used, max }) => {
      const show = (value: number) => (name.endsWith('_bytes') ? formatSize(value) : `${value}`)
      const of = language === 'nl' ? 'van' : 'of'
      return `- ${limitTitles[language][name]}: ${show(used)} ${of} ${show(max)}\n  ${page_url(pagesOfLimits[name])}`
    })
    .join('\n')
}

const locales = { en: 'en-GB', nl: 'nl-NL' } as const

function euro(amount_micro: MicroEuro, { language }: MailContext): string {
  const style = { style: 'currency', currency: 'EUR' } as const
  return new Intl.NumberFormat(locales[language], style).format(euroFromMicro(amount_micro))
}

function date(moment: Date, { language, timezone: timeZone }: MailContext): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone }).format(moment)
}

function month(first: string, { language }: MailContext): string {
  const style = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locales[language], style).format(new Date(first))
}

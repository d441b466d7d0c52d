/** The texts of the appeal page, in the languages of the portal. */
import { limits } from '../../../contract/limits.ts'
import type { PageLanguage } from '../../html/language.ts'

const characters = limits.site_appeal_characters_max

const en = {
  offline: (slug: string) => `${slug} was taken offline`,
  refused: (slug: string) => `${slug} was not published`,
  offline_about: 'The site is offline, and nothing can be published to it. The reasons:',
  refused_about: (count: number) =>
    `Every site is checked for deception and malware before it is published. The check found ${count === 1 ? 'one problem' : `${count} problems`}. The version that was online before is unchanged.`,
  line: (line: number) => `line ${line}`,
  their_note: 'Their note: ',
  appealed_on: 'You appealed on ',
  appealed_about:
    'A person reviews the appeal and answers by email; the answer will also be shown here.',
  allowed_offline: 'A person reviewed it and agrees with you. The site is online again.',
  allowed_refused:
    'A person reviewed it and agrees with you. Publish the site again to put it online.',
  upheld_offline: 'A person reviewed it, and the site stays offline.',
  upheld_refused:
    'A person reviewed it, and the decision stands. Remove the findings to publish the site.',
  appeal: 'Appeal',
  replace: 'Replace your appeal',
  explain: 'Explain why this is wrong, and a person will review it.',
  replaces: 'A new appeal replaces the previous one.',
  message: 'Why it is wrong',
  email: 'Your email address',
  optional: '(optional)',
  email_about: 'The answer is sent to this address, or else to the owner of the project.',
  send: 'Send',
  faults: {
    empty: 'Please say why the decision is wrong.',
    too_long: `Please use at most ${characters} characters.`,
    no_address: 'This is not an email address.',
  },
}

const nl: typeof en = {
  offline: (slug) => `${slug} is offline gehaald`,
  refused: (slug) => `${slug} is niet gepubliceerd`,
  offline_about: 'De site is offline, en er kan niets op worden gepubliceerd. De redenen:',
  refused_about: (count) =>
    `Elke site wordt voor publicatie gecontroleerd op misleiding en malware. De controle vond ${count === 1 ? 'één probleem' : `${count} problemen`}. De versie die al online was, is niet gewijzigd.`,
  line: (line) => `regel ${line}`,
  their_note: 'Toelichting: ',
  appealed_on: 'U hebt bezwaar gemaakt op ',
  appealed_about:
    'Een persoon beoordeelt het bezwaar en antwoordt per e-mail; het antwoord komt ook hier te staan.',
  allowed_offline: 'Een persoon heeft het beoordeeld en geeft u gelijk. De site is weer online.',
  allowed_refused:
    'Een persoon heeft het beoordeeld en geeft u gelijk. Publiceer de site opnieuw om haar online te zetten.',
  upheld_offline: 'Een persoon heeft het beoordeeld, en de site blijft offline.',
  upheld_refused:
    'Een persoon heeft het beoordeeld, en het besluit blijft staan. Verwijder wat is gevonden om de site te publiceren.',
  appeal: 'Bezwaar maken',
  replace: 'Uw bezwaar vervangen',
  explain: 'Leg uit waarom dit niet klopt, en een persoon beoordeelt het.',
  replaces: 'Een nieuw bezwaar vervangt het vorige.',
  message: 'Waarom het niet klopt',
  email: 'Uw e-mailadres',
  optional: '(niet verplicht)',
  email_about: 'Het antwoord gaat naar dit adres, en anders naar de eigenaar van het project.',
  send: 'Versturen',
  faults: {
    empty: 'Leg uit waarom het besluit niet klopt.',
    too_long: `Gebruik ten hoogste ${characters} tekens.`,
    no_address: 'Dit is geen e-mailadres.',
  },
}

export const appealTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

export type AppealTexts = typeof en

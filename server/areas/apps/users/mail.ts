/** Mails to users of apps: the code to sign in, and notices of new ways to sign in. */
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
} from '../../../providers/mail/mail-contract.ts'
import { MAIL_RETRY_S, sendMail, writtenMail } from '../../../providers/mail/send-mail.ts'

export const sendSignInCode = job({
  name: 'apps.send_code',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S.slice(0, 3),
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'signing in to an app'),
})

export const sendNotice = job({
  name: 'apps.send_notice',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'a new way to sign in to an app'),
})

export interface MailVoice {
  /** The name of the app in the mail. */
  place: string
  language: MailLanguage
}

interface ToUser extends MailVoice {
  project_id: string
  to: string
}

/** The subject, then the paragraphs. */
type Words = Record<MailLanguage, (place: string) => readonly [string, ...string[]]>

export function mailCode(
  tx: Transaction,
  runtime: Runtime,
  { code, ...to }: ToUser & { code: string },
): Promise<void> {
  return enqueue(tx, runtime, sendSignInCode, mailJob(runtime, to, codeWords(code)))
}

/** Tells a user that the account got a new password or passkey, which another person may have set. */
export function mailNotice(
  tx: Transaction,
  runtime: Runtime,
  { about, ...to }: ToUser & { about: keyof typeof notices },
): Promise<void> {
  return enqueue(tx, runtime, sendNotice, mailJob(runtime, to, notices[about]))
}

function mailJob({ clock }: Runtime, { project_id, to, place, language }: ToUser, words: Words) {
  const [subject, ...paragraphs] = words[language](shortName(place))
  const text = joinParagraphs(paragraphs)
  return {
    project_id,
    payload: { reference: newId(clock), to, subject, text, language, links: [] },
  }
}

const codeWords = (code: string): Words => ({
  en: (place) => [
    `${code} is your code for ${place}`,
    `Your code to sign in to ${place} is ${code}. It works for ten minutes.`,
    'If you did not ask for it, you need not do anything.',
  ],
  nl: (place) => [
    `${code} is uw code voor ${place}`,
    `Uw code om in te loggen bij ${place} is ${code}. Hij werkt tien minuten.`,
    'Hebt u hier niet om gevraagd, dan hoeft u niets te doen.',
  ],
})

const notices = {
  password: {
    en: (place) => [
      `New password for ${place}`,
      `Your account at ${place} has a new password.`,
      'If it was not you, sign in with a code by email and set another one.',
    ],
    nl: (place) => [
      `Nieuw wachtwoord voor ${place}`,
      `Uw account bij ${place} heeft een nieuw wachtwoord.`,
      'Was u het niet, log dan in met een code per e-mail en stel een ander wachtwoord in.',
    ],
  },
  passkey: {
    en: (place) => [
      `New passkey for ${place}`,
      `A passkey was added to your account at ${place}. Anyone who has it can sign in as you.`,
      'If it was not you, sign in with a code by email and remove it.',
    ],
    nl: (place) => [
      `Nieuwe passkey voor ${place}`,
      `Er is een passkey toegevoegd aan uw account bij ${place}. Wie hem heeft, kan als u inloggen.`,
      'Was u het niet, log dan in met een code per e-mail en verwijder hem.',
    ],
  },
} satisfies Record<string, Words>

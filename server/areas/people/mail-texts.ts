/** The mails to people about their account, in their languages. */
import { limits } from '../../contract/limits.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
  type MailLink,
  type MailMessage,
} from '../../providers/mail/mail-contract.ts'

export type MailWords = Pick<MailMessage, 'subject' | 'text' | 'language' | 'links'>

interface Draft {
  subject: string
  paragraphs: readonly string[]
  links?: readonly MailLink[]
}

function mailIn(language: MailLanguage, { subject, paragraphs, links = [] }: Draft): MailWords {
  return { subject, text: joinParagraphs(paragraphs), language, links }
}

const minutes = limits.sign_in_code_s / 60

interface Coded {
  /** As it is shown, in two groups. */
  code: string
  portal_url: string
}

export function writeSignInCode(language: MailLanguage, { code, portal_url }: Coded): MailWords {
  if (language === 'nl')
    return mailIn(language, {
      subject: `${code} is uw code om u aan te melden`,
      paragraphs: [
        `Uw code voor ${portal_url} is:`,
        code,
        `Hij werkt ${minutes} minuten, één keer, en alleen in de browser waarin hij is gevraagd.`,
        'Hebt u er niet om gevraagd, doe dan niets: zonder de code kan niemand zich aanmelden. Deel hem met niemand.',
      ],
    })
  return mailIn(language, {
    subject: `${code} is your code to sign in`,
    paragraphs: [
      `Your code for ${portal_url} is:`,
      code,
      `It works for ${minutes} minutes, once, and only in the browser that asked for it.`,
      'If you did not ask for it, do nothing: nobody can sign in without the code. Do not share it.',
    ],
  })
}

/** The code to create an account. `has_account`: the address has one, and the code signs in to it. */
export function writeSignUpCode(
  language: MailLanguage,
  { code, portal_url, has_account }: Coded & { has_account: boolean },
): MailWords {
  if (language === 'nl')
    return mailIn(language, {
      subject: has_account
        ? `${code} is uw code om u aan te melden`
        : `${code} is uw code om een account te maken`,
      paragraphs: [
        has_account
          ? `Iemand wilde met dit adres een account maken op ${portal_url}. U hebt er al een. Met deze code meldt u zich aan:`
          : `Uw code om een account te maken op ${portal_url} is:`,
        code,
        `Hij werkt ${minutes} minuten, één keer, en alleen in de browser waarin hij is gevraagd.`,
        'Hebt u er niet om gevraagd, doe dan niets: zonder de code gebeurt er niets. Deel hem met niemand.',
      ],
    })
  return mailIn(language, {
    subject: has_account ? `${code} is your code to sign in` : `${code} is your code to sign up`,
    paragraphs: [
      has_account
        ? `Somebody asked for an account with this address at ${portal_url}. You have one already. This code signs you in:`
        : `Your code to create an account at ${portal_url} is:`,
      code,
      `It works for ${minutes} minutes, once, and only in the browser that asked for it.`,
      'If you did not ask for it, do nothing: without the code nothing happens. Do not share it.',
    ],
  })
}

export function writeSignUpInvitation(language: MailLanguage, url: string): MailWords {
  const days = limits.sign_up_invitation_s / 86_400
  if (language === 'nl')
    return mailIn(language, {
      subject: 'U bent uitgenodigd om een account te maken',
      paragraphs: [
        'De beheerder van deze installatie nodigt u uit om een account en een project te maken.',
        url,
        `De link werkt één keer, ${days} dagen, en alleen voor dit adres. Deel hem met niemand.`,
        'Weet u niet waar dit over gaat, doe dan niets.',
      ],
      links: [{ url, label: 'Account maken' }],
    })
  return mailIn(language, {
    subject: 'You are invited to create an account',
    paragraphs: [
      'The operator of this installation invites you to create an account and a project.',
      url,
      `The link works once, for ${days} days, and only for this address. Do not share it.`,
      'If you do not know what this is about, do nothing.',
    ],
    links: [{ url, label: 'Create an account' }],
  })
}

export function writeEmailCode(language: MailLanguage, { code, portal_url }: Coded): MailWords {
  if (language === 'nl')
    return mailIn(language, {
      subject: `${code} bevestigt uw nieuwe e-mailadres`,
      paragraphs: [
        `De code voor uw account op ${portal_url} is:`,
        code,
        `Hij werkt ${minutes} minuten. Daarna meldt u zich met dit adres aan bij het account.`,
        'Hebt u er niet om gevraagd, doe dan niets: zonder de code kan niemand dit adres gebruiken. Deel hem met niemand.',
      ],
    })
  return mailIn(language, {
    subject: `${code} confirms your new email address`,
    paragraphs: [
      `The code for your account at ${portal_url} is:`,
      code,
      `It works for ${minutes} minutes. After that you sign in to the account with this address.`,
      'If you did not ask for it, do nothing: nobody can use this address without the code. Do not share it.',
    ],
  })
}

interface TeamInvitation {
  /** Written by members, so untrusted. */
  project_name: string
  /** An email address; null: the operator. */
  invited_by: string | null
  portal_url: string
}

export function writeTeamInvitation(
  language: MailLanguage,
  { project_name, invited_by, portal_url: url }: TeamInvitation,
): MailWords {
  const name = shortName(project_name)
  if (language === 'nl')
    return mailIn(language, {
      subject: `U bent uitgenodigd voor ${name}`,
      paragraphs: [
        `${invited_by ?? 'De beheerder'} nodigt u uit voor het project "${name}".`,
        `Meld u met dit adres aan om aan te nemen of te weigeren:\n${url}`,
        'Weet u niet waar dit over gaat, doe dan niets. De uitnodiging vervalt na een week.',
      ],
      links: [{ url, label: 'Aanmelden' }],
    })
  return mailIn(language, {
    subject: `You are invited to ${name}`,
    paragraphs: [
      `${invited_by ?? 'The operator'} invites you to the project "${name}".`,
      `Sign in with this address to accept or decline:\n${url}`,
      'If you do not know what this is about, do nothing. The invitation ends in a week.',
    ],
    links: [{ url, label: 'Sign in' }],
  })
}

export const noticeNames = [
  'passkey_added',
  'second_factor_reset',
  'email_changed',
  'account_deleted',
] as const
type NoticeName = (typeof noticeNames)[number]

const notices: Readonly<Record<MailLanguage, Record<NoticeName, readonly string[]>>> = {
  en: {
    passkey_added: [
      'A passkey was added to your account',
      'A passkey was added to your account. Anyone who has it can sign in as you.',
      'If it was not you, sign in now, remove it on your account page and change your password.',
    ],
    second_factor_reset: [
      'Your second factor was reset',
      'The operator of this installation removed your authenticator app, recovery codes and passkeys, and signed you out everywhere.',
      'Sign in and set them up again. If you did not ask for this, contact the operator now.',
    ],
    email_changed: [
      'Your email address was changed',
      'Your account has another email address now. This address does not sign in to it any more.',
      'If it was not you, contact the operator of this installation now.',
    ],
    account_deleted: [
      'Your account was deleted',
      'Your account was deleted, and you have left its projects.',
      'If it was not you, contact the operator of this installation now.',
    ],
  },
  nl: {
    passkey_added: [
      'Er is een passkey aan uw account toegevoegd',
      'Er is een passkey aan uw account toegevoegd. Wie hem heeft, kan zich als u aanmelden.',
      'Was u het niet, meld u dan nu aan, verwijder hem op uw accountpagina en wijzig uw wachtwoord.',
    ],
    second_factor_reset: [
      'Uw tweede factor is gereset',
      'De beheerder van deze installatie heeft uw authenticator-app, herstelcodes en passkeys verwijderd en u overal afgemeld.',
      'Meld u aan en stel ze opnieuw in. Hebt u hier niet om gevraagd, neem dan nu contact op met de beheerder.',
    ],
    email_changed: [
      'Uw e-mailadres is gewijzigd',
      'Uw account heeft nu een ander e-mailadres. Met dit adres kunt u zich er niet meer bij aanmelden.',
      'Was u het niet, neem dan nu contact op met de beheerder van deze installatie.',
    ],
    account_deleted: [
      'Uw account is verwijderd',
      'Uw account is verwijderd, en u hebt de projecten ervan verlaten.',
      'Was u het niet, neem dan nu contact op met de beheerder van deze installatie.',
    ],
  },
}

/** A notice about a change of the account or its sign-in methods. */
export function writeAccountNotice(
  language: MailLanguage,
  name: NoticeName,
  url: string,
): MailWords {
  const [subject = '', ...paragraphs] = notices[language][name]
  const label = language === 'nl' ? 'Naar uw account' : 'Open your account'
  return mailIn(language, { subject, paragraphs: [...paragraphs, url], links: [{ url, label }] })
}

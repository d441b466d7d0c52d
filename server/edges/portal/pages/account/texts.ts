/** The texts of signing in and confirming an identity, in the languages of the portal. */
import { limits } from '../../../../contract/limits.ts'
import type { PageLanguage } from '../../../html/language.ts'

const code_minutes = limits.sign_in_code_s / 60
const fresh_minutes = limits.session_fresh_s / 60

const en = {
  sign_in: 'Sign in',
  signed_out: 'You are signed out.',
  email: 'Email address',
  not_email: 'This is not an email address.',
  continue: 'Continue',
  no_account: 'No account yet?',
  create_account: 'Create an account',
  by_passkey: 'Sign in with a passkey',
  passkey_fault:
    'The passkey is not registered here, or the page was open too long. ' +
    'Try again, or sign in another way.',
  passkey_cancelled: 'The request was cancelled or timed out.',
  passkey_error: 'The browser reported an error:',
  confirm: 'Confirm your identity',
  confirm_about: `This action needs a recent proof that it is you. The proof is valid for ${fresh_minutes} minutes.`,
  continue_as: (email: string) => `Continue as ${email}`,
  use_passkey: 'Use a passkey',
  not_your_passkey: 'This is not one of your passkeys, or the page was open too long.',
  another_address: 'Use another address',
  password: 'Password',
  wrong_password: 'The password is wrong, or this address has none.',
  code_sent: (email: string) =>
    `If ${email} can sign in here, a code was sent to it. It is valid for ${code_minutes} minutes.`,
  code_delayed:
    'Many codes were requested for this address, so this one arrives later: within ten minutes. Keep this page open.',
  code: 'Code from the mail',
  wrong_code: `The code is wrong or no longer valid. After ${limits.sign_in_code_tries_max} attempts, request another one.`,
  another_code: 'Send another code',
  send_code: 'Send a code by mail instead',
  mail_code: 'Send a code by mail',
  no_mail:
    'No password yet? This installation sends no mail. Its operator can create a sign-in link with',
  in_log: 'This installation does not send mail. It writes mail to the log, and shows it at ',
  second: 'Second factor',
  second_code: 'Code from your authenticator app',
  recovery: 'Without your phone, enter one of your recovery codes instead.',
  wrong_second: 'The code is wrong or was used before. Wait for the next one.',
  link_invalid: 'This link no longer works',
  link_invalid_about: 'It was used already, has expired, or is incomplete. A link works once.',
  another_way: 'Sign in another way',
  or_on_server: 'or create a new link on the server:',
  sign_in_as: (email: string) => `Sign in as ${email}?`,
  other_session: (email: string) => `You are signed in as ${email}. That session will end.`,
}

const nl: typeof en = {
  sign_in: 'Aanmelden',
  signed_out: 'U bent afgemeld.',
  email: 'E-mailadres',
  not_email: 'Dit is geen e-mailadres.',
  continue: 'Doorgaan',
  no_account: 'Nog geen account?',
  create_account: 'Account maken',
  by_passkey: 'Aanmelden met een passkey',
  passkey_fault:
    'De passkey is hier niet geregistreerd, of de pagina stond te lang open. ' +
    'Probeer het opnieuw, of meld u op een andere manier aan.',
  passkey_cancelled: 'Het verzoek is geannuleerd of verlopen.',
  passkey_error: 'De browser meldt een fout:',
  confirm: 'Bevestig uw identiteit',
  confirm_about: `Voor deze actie is een recent bewijs nodig dat u het bent. Het bewijs is ${fresh_minutes} minuten geldig.`,
  continue_as: (email) => `Doorgaan als ${email}`,
  use_passkey: 'Passkey gebruiken',
  not_your_passkey: 'Dit is niet een van uw passkeys, of de pagina stond te lang open.',
  another_address: 'Een ander adres gebruiken',
  password: 'Wachtwoord',
  wrong_password: 'Het wachtwoord klopt niet, of dit adres heeft er geen.',
  code_sent: (email) =>
    `Als ${email} zich hier kan aanmelden, is er een code naartoe gestuurd. Hij is ${code_minutes} minuten geldig.`,
  code_delayed:
    'Er zijn veel codes voor dit adres gevraagd. Daarom komt deze later: binnen tien minuten. Laat deze pagina open.',
  code: 'Code uit de mail',
  wrong_code: `De code klopt niet of is niet meer geldig. Vraag na ${limits.sign_in_code_tries_max} pogingen een nieuwe.`,
  another_code: 'Nog een code sturen',
  send_code: 'In plaats daarvan een code per mail sturen',
  mail_code: 'Code per mail sturen',
  no_mail:
    'Nog geen wachtwoord? Deze installatie verstuurt geen mail. De beheerder kan een aanmeldlink maken met',
  in_log: 'Deze installatie verstuurt geen mail. Ze schrijft mail in het log, en toont die op ',
  second: 'Tweede factor',
  second_code: 'Code uit uw authenticator-app',
  recovery: 'Hebt u uw telefoon niet bij u, vul dan een van uw herstelcodes in.',
  wrong_second: 'De code klopt niet of is al gebruikt. Wacht op de volgende.',
  link_invalid: 'Deze link werkt niet meer',
  link_invalid_about: 'Hij is al gebruikt, verlopen of onvolledig. Een link werkt één keer.',
  another_way: 'Meld u op een andere manier aan',
  or_on_server: 'of maak op de server een nieuwe link:',
  sign_in_as: (email) => `Aanmelden als ${email}?`,
  other_session: (email) => `U bent aangemeld als ${email}. Die sessie wordt beëindigd.`,
}

export const accountTexts: Readonly<Record<PageLanguage, typeof en>> = { en, nl }

export type AccountTexts = typeof en

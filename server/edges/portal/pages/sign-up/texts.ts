/** The texts of the pages on which an account is created, in the languages of the portal. */
import { limits } from '../../../../contract/limits.ts'
import type { MailLanguage } from '../../../../providers/mail/mail-contract.ts'

const minutes = limits.sign_in_code_s / 60
const least = limits.password_characters_min

const en = {
  title: 'Create an account',
  step: (step: number) => `Step ${step} of 4`,
  email: 'Email address',
  not_email: 'This is not an email address.',
  terms_before: 'I accept the ',
  terms: 'terms of use',
  accept_terms: 'Accept the terms of use to create an account.',
  continue: 'Continue',
  have_account: 'Have an account already?',
  sign_in: 'Sign in',
  by_invitation: 'Accounts are created by invitation here. Enter the address that was invited.',
  check_mail: 'Check your email',
  code_sent: (email: string) =>
    `If ${email} can have an account here, a code was sent to it. It is valid for ${minutes} minutes.`,
  code: 'Code from the mail',
  wrong_code: `The code is wrong or no longer valid. After ${limits.sign_in_code_tries_max} attempts, request another one.`,
  another_code: 'Send another code',
  another_address: 'Use another address',
  in_log: 'This installation does not send mail. It writes mail to the log, and shows it at ',
  method: 'How do you want to sign in?',
  method_about: 'You can change this later on your account page.',
  passkey: 'Create a passkey',
  passkey_about:
    'Sign in with your fingerprint, face or PIN. A passkey cannot be guessed, or stolen by a fake page.',
  passkey_name: 'My first passkey',
  passkey_fault: 'The passkey could not be created. Try again, or choose another way.',
  password: 'Password',
  password_about: `At least ${least} characters. Several words make a good password.`,
  save_password: 'Save the password',
  by_code: 'Continue with codes by mail',
  project: 'Name your first project',
  project_about:
    'It is free. Calls, messages and payments by customers are simulated until you go live.',
  project_name: 'Name of the business',
  project_name_wrong: `Give a name of one line, with at most ${limits.project_name_characters_max} characters.`,
  project_hint: 'You can change it later.',
  create_project: 'Create the project',
  no_project: 'Skip',
  invited: 'Create your account',
  invited_as: (email: string) => `You are invited to create an account for ${email}.`,
  invited_by_link: 'You are invited to create an account. Enter your email address.',
  link_used: 'This invitation no longer works',
  link_used_about: 'It was used already, was withdrawn, or has expired. Ask for a new one.',
  terms_title: 'Terms of use',
  version: (version: string) => `Version ${version}`,
  standard_terms: [
    'The operator of this installation has not published terms of its own.',
    'Use it only for lawful purposes. Do not publish what deceives or harms others, and do not burden the service beyond its limits.',
    'What you store stays yours. A project that you delete is kept for 30 days and then removed completely.',
    'The operator may take a project offline that breaks these terms or the law.',
  ],
}

type Texts = typeof en

const nl: Texts = {
  title: 'Account maken',
  step: (step) => `Stap ${step} van 4`,
  email: 'E-mailadres',
  not_email: 'Dit is geen e-mailadres.',
  terms_before: 'Ik ga akkoord met de ',
  terms: 'gebruiksvoorwaarden',
  accept_terms: 'Ga akkoord met de gebruiksvoorwaarden om een account te maken.',
  continue: 'Doorgaan',
  have_account: 'Hebt u al een account?',
  sign_in: 'Aanmelden',
  by_invitation:
    'Accounts worden hier op uitnodiging gemaakt. Vul het adres in dat is uitgenodigd.',
  check_mail: 'Controleer uw e-mail',
  code_sent: (email) =>
    `Als ${email} hier een account kan hebben, is er een code naartoe gestuurd. Hij is ${minutes} minuten geldig.`,
  code: 'Code uit de mail',
  wrong_code: `De code klopt niet of is niet meer geldig. Vraag na ${limits.sign_in_code_tries_max} pogingen een nieuwe.`,
  another_code: 'Nog een code sturen',
  another_address: 'Een ander adres gebruiken',
  in_log: 'Deze installatie verstuurt geen mail. Ze schrijft mail in het log, en toont die op ',
  method: 'Hoe wilt u zich aanmelden?',
  method_about: 'U kunt dit later wijzigen op uw accountpagina.',
  passkey: 'Passkey maken',
  passkey_about:
    'Meld u aan met uw vingerafdruk, gezicht of pincode. Een passkey is niet te raden of te stelen door een valse pagina.',
  passkey_name: 'Mijn eerste passkey',
  passkey_fault:
    'De passkey kon niet worden gemaakt. Probeer het opnieuw of kies een andere manier.',
  password: 'Wachtwoord',
  password_about: `Ten minste ${least} tekens. Meerdere woorden vormen een goed wachtwoord.`,
  save_password: 'Wachtwoord opslaan',
  by_code: 'Doorgaan met codes per mail',
  project: 'Geef uw eerste project een naam',
  project_about:
    'Het is gratis. Gesprekken, berichten en betalingen van klanten zijn gesimuleerd tot u live gaat.',
  project_name: 'Naam van het bedrijf',
  project_name_wrong: `Geef een naam van één regel, met ten hoogste ${limits.project_name_characters_max} tekens.`,
  project_hint: 'U kunt hem later wijzigen.',
  create_project: 'Project maken',
  no_project: 'Overslaan',
  invited: 'Maak uw account',
  invited_as: (email) => `U bent uitgenodigd om een account te maken voor ${email}.`,
  invited_by_link: 'U bent uitgenodigd om een account te maken. Vul uw e-mailadres in.',
  link_used: 'Deze uitnodiging werkt niet meer',
  link_used_about: 'Ze is al gebruikt, ingetrokken of verlopen. Vraag om een nieuwe.',
  terms_title: 'Gebruiksvoorwaarden',
  version: (version) => `Versie ${version}`,
  standard_terms: [
    'De beheerder van deze installatie heeft geen eigen voorwaarden gepubliceerd.',
    'Gebruik haar alleen voor wettige doelen. Publiceer niets dat anderen misleidt of schaadt, en belast de dienst niet boven haar limieten.',
    'Wat u bewaart, blijft van u. Een project dat u verwijdert, blijft 30 dagen bewaard en wordt daarna volledig gewist.',
    'De beheerder mag een project offline halen dat in strijd is met deze voorwaarden of de wet.',
  ],
}

export type SignUpTexts = Texts

export function signUpTexts(language: MailLanguage): Texts {
  return language === 'nl' ? nl : en
}

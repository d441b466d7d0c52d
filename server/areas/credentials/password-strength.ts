/** Which passwords are accepted. */
import { limits } from '../../contract/limits.ts'
import type { MailLanguage } from '../../providers/mail/mail-contract.ts'

/**
 * Common parts of guessed passwords. A password that consists only of these, digits, signs or
 * repetitions is refused.
 */
const commonplace = new Set(
  (
    'abc abcdef abcdefghijkl admin administrator asdfgh asdfghjkl baseball changeme dragon football ' +
    'geheim hallo hello homeport iloveyou letmein login master monkey motdepasse pass passw passwd ' +
    'password passwort princess qwe qwer qwerty qwertyuiop qwertyuiopasdfghjkl qwertz qwertzuiop ' +
    'secret shadow sunshine superman test trustno wachtwoord welcome welkom willkommen'
  ).split(' '),
)

const { password_characters_min: least, password_characters_max: most } = limits

const english = {
  short: `A password has at least ${least} characters. Several words make a good password.`,
  long: `A password has at most ${most} characters.`,
  guessable: 'This password is too easy to guess.',
}

const dutch: typeof english = {
  short: `Een wachtwoord heeft ten minste ${least} tekens. Meerdere woorden vormen een goed wachtwoord.`,
  long: `Een wachtwoord heeft ten hoogste ${most} tekens.`,
  guessable: 'Dit wachtwoord is te makkelijk te raden.',
}

/** Returns the reason why a password is refused; null if it is accepted. */
export function findPasswordFault(
  password: string,
  email: string,
  language: MailLanguage = 'en',
): string | null {
  const t = language === 'nl' ? dutch : english
  const length = [...password].length
  if (length < least) return t.short
  if (password.length > most) return t.long
  const [name = ''] = email.split('@')
  const lower = password.toLowerCase()
  const bare = lower.replaceAll(/[^\p{L}]/gu, '').replace(/^(.+?)\1+$/u, '$1')
  const guessable = bare.length < 3 || commonplace.has(bare) || [name, email].includes(lower)
  return guessable || new Set(password).size < 5 ? t.guessable : null
}

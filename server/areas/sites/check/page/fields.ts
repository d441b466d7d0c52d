/**
 * Determines the kind of a form field. Only unambiguous signs count: a type, an autocomplete value,
 * or a name with one meaning. Any other field is `plain`.
 */
export type FieldKind = 'password' | 'card' | 'code' | 'wallet' | 'plain'

export interface FormField {
  line: number
  /** Element and type, such as `input text` or `textarea`. */
  type: string
  /** Values of name, id and similar attributes, and the label text, in lower case. */
  words: string[]
  autocomplete: string
  style: string
}

const passwordName =
  /^(user|your|my|account|login|email)?[-_ ]?(pass|passwd|password|passwort|pwd|wachtwoord|kennwort|contrasena|contraseña|mot[-_ ]?de[-_ ]?passe)[-_ ]?\d?$/
const cardName =
  /^(credit|debit|bank|payment)?[-_ ]?(card[-_ ]?(number|num|no|cvv|cvc)|cc[-_ ]?(number|num|cvv|cvc|csc)|cvv2?|cvc2?|csc|kaartnummer|kartennummer|creditcard(number|nummer)?)$/
const codeName =
  /^(otp|totp|mfa|2fa|tan|pin|pincode|pin[-_ ]code|sms[-_ ]?code|tan[-_ ]?code|verification[-_ ]?code|security[-_ ]?code|verificatiecode)$/
const walletWords =
  /\b(seed|recovery|mnemonic|backup|secret recovery|secret)[-_ ]?phrases?\b|\bmnemonics?\b|\bseed[-_ ]?words\b|\brecovery[-_ ]?words\b|\bherstelzin\b|\bherstelwoorden\b|\bwallet[-_ ]?private[-_ ]?key\b|\bphrase secrète\b|\bfrase semilla\b/

const typed = new Set(['text', 'email', 'tel', 'number', 'password', 'search', 'textarea', ''])

export function classifyField(field: FormField): FieldKind {
  if (field.type === 'password') {
    return field.words.some((word) => cardName.test(word)) ? 'card' : 'password'
  }
  if (!typed.has(field.type)) return 'plain'
  if (field.words.some((word) => walletWords.test(word))) return 'wallet'
  if (/\b(current|new)-password\b/.test(field.autocomplete)) return 'password'
  if (/-text-security\s*:\s*(disc|circle|square)/.test(field.style)) return 'password'
  if (/\bcc-(number|csc)\b/.test(field.autocomplete)) return 'card'
  if (/\bone-time-code\b/.test(field.autocomplete)) return 'code'
  if (field.type === 'textarea') return 'plain'
  if (field.words.some((word) => passwordName.test(word))) return 'password'
  if (field.words.some((word) => cardName.test(word))) return 'card'
  if (field.words.some((word) => codeName.test(word))) return 'code'
  return 'plain'
}

/** Whether visitors type into the field. */
export function isTextInput(field: FormField): boolean {
  return typed.has(field.type)
}

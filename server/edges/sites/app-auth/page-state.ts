/** The addresses of the pages, and what they show above their form. */
import { AUTH_PATH } from './visit.ts'

export const SIGN_IN_PATH = `${AUTH_PATH}sign-in`
export const ACCOUNT_PATH = `${AUTH_PATH}account`
export const SCRIPT_PATH = `${AUTH_PATH}passkeys.js`

export interface PageState {
  /** The path to continue to. */
  to: string
  email?: string
  /** What was wrong with the last attempt. */
  fault?: string
  status?: number
}

export function withReturn(path: string, to: string): string {
  return `${path}?return=${encodeURIComponent(to)}`
}

/** The sign-in page, and then the account page, which leads on to `to`. */
export function signInToAccount(to: string): string {
  return withReturn(SIGN_IN_PATH, withReturn(ACCOUNT_PATH, to))
}

/** Formats of the credentials of a connection. Each has a prefix for people and secret scanners. */
import { isTokenText, createTokenText } from '../../kernel/secrets/token-text.ts'

const ACCESS_TOKEN = 'hm_oat_'

export const newAccessTokenText = (): string => createTokenText(ACCESS_TOKEN)
export const newRefreshTokenText = (): string => createTokenText('hm_ort_')
export const newCodeText = (): string => createTokenText('hm_oac_')
export const newClientSecretText = (): string => createTokenText('hm_ocs_')

/** Whether a text has the form of an access token. */
export function isAccessTokenText(text: string): boolean {
  return isTokenText(ACCESS_TOKEN, text)
}

/** Returns the access token of an Authorization header; null if it has none. */
export function readAccessToken(authorization: string | undefined): string | null {
  const [, token = null] = /^\s*bearer\s+(hm_oat_\S*)\s*$/i.exec(authorization ?? '') ?? []
  return token
}

/** Formats of the credentials of a connection. Each has a prefix for people and secret scanners. */
import { isTokenText, newTokenText } from '../../kernel/secrets/token-text.ts'

const ACCESS_TOKEN = 'hm_oat_'

export const newAccessTokenText = (): string => newTokenText(ACCESS_TOKEN)
export const newRefreshTokenText = (): string => newTokenText('hm_ort_')
export const newCodeText = (): string => newTokenText('hm_oac_')
export const newClientSecretText = (): string => newTokenText('hm_ocs_')

/** Whether a text has the form of an access token. */
export function isAccessTokenText(text: string): boolean {
  return isTokenText(ACCESS_TOKEN, text)
}

/** The access token of an Authorization header; null if it has none. */
export function accessTokenIn(authorization: string | undefined): string | null {
  const [, token = null] = /^\s*bearer\s+(hm_oat_\S*)\s*$/i.exec(authorization ?? '') ?? []
  return token
}

/** The texts that a connection holds, each with a prefix by which people and scanners know it. */
import { isTokenText, newTokenText } from '../../kernel/secrets/token-text.ts'

const ACCESS_TOKEN = 'hm_oat_'

export const newAccessTokenText = (): string => newTokenText(ACCESS_TOKEN)
export const newRefreshTokenText = (): string => newTokenText('hm_ort_')
export const newCodeText = (): string => newTokenText('hm_oac_')
export const newClientSecretText = (): string => newTokenText('hm_ocs_')

/** Whether a text can be an access token at all. */
export function isAccessTokenText(text: string): boolean {
  return isTokenText(ACCESS_TOKEN, text)
}

/** The access token of an Authorization header; null when it brings something else. */
export function accessTokenIn(authorization: string | undefined): string | null {
  const [, token = null] = /^\s*bearer\s+(hm_oat_\S*)\s*$/i.exec(authorization ?? '') ?? []
  return token
}

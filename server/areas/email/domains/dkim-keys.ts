/** Keys that sign the emails of a sending domain (DKIM, RFC 6376): RSA with 2048 bits. */
import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

export const DKIM_PURPOSE = 'email-dkim-key'
const RSA_BITS = 2048

export interface DkimKey {
  /** PKCS#8 as PEM. */
  private_key: string
  /** SubjectPublicKeyInfo as base64, as in the DNS. */
  public_key: string
}

export async function createDkimKey(): Promise<DkimKey> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { private_key: privateKey, public_key: publicKey.toString('base64') }
}

export function dkimValue(public_key: string): string {
  return `v=DKIM1; k=rsa; p=${public_key}`
}

/** Whether a record in the DNS has the key, whatever its spaces and further tags. */
export function hasKey(record: string, public_key: string): boolean {
  const tags = readTags(record)
  return (tags.get('v') ?? 'DKIM1') === 'DKIM1' && tags.get('p') === public_key
}

/** The tags of a record such as `v=DMARC1; p=none`, without spaces in the values. */
export function readTags(record: string): Map<string, string> {
  return new Map(
    record.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=')
      if (at < 1) return []
      return [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).replaceAll(/\s+/g, '')]]
    }),
  )
}

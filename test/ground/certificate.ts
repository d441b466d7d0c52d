/**
 * Certificates for tests, written as DER by hand: Node can read and check X.509 but not make it,
 * and the tests must run where no openssl is installed. Keys live as long as the process.
 */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

export interface Certificate {
  /** PEM, as node:tls takes them. */
  cert: string
  key: string
}

export interface Authority {
  cert: string
  /** A certificate for one host name. */
  issue(host: string, validity?: Validity): Certificate
}

export type Validity = readonly [from: string, until: string]

/** UTCTime, read as 2020 and 2049. */
const valid: Validity = ['200101000000Z', '491231235959Z']
export const expired: Validity = ['200101000000Z', '210101000000Z']

// Object identifiers, ready encoded.
const ecdsa_with_sha256 = Buffer.from('06082a8648ce3d040302', 'hex')
const common_name = Buffer.from('0603550403', 'hex')
const alternative_name = Buffer.from('0603551d11', 'hex')
const basic_constraints = Buffer.from('0603551d13', 'hex')
const yes = Buffer.from('0101ff', 'hex')

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)

export function createAuthority(name: string): Authority {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const is_authority = sequence(basic_constraints, yes, der(0x04, sequence(yes)))
  const write = (subject: string, holder: KeyObject, rest: { validity: Validity; mark: Buffer }) =>
    certificate({ subject, holder, issuer: name, signer: own.privateKey, ...rest })
  return {
    cert: write(name, own.publicKey, { validity: valid, mark: is_authority }),
    issue(host, validity = valid) {
      const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const names = sequence(der(0x82, Buffer.from(host)))
      const mark = sequence(alternative_name, der(0x04, names))
      return {
        cert: write(host, pair.publicKey, { validity, mark }),
        key: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

interface Contents {
  subject: string
  holder: KeyObject
  issuer: string
  signer: KeyObject
  validity: Validity
  /** The one extension: what sets an authority apart from a host. */
  mark: Buffer
}

function certificate({ subject, holder, issuer, signer, validity, mark }: Contents): string {
  const algorithm = sequence(ecdsa_with_sha256)
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    distinguishedName(issuer),
    sequence(...validity.map((time) => der(0x17, Buffer.from(time)))),
    distinguishedName(subject),
    holder.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(mark)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, signer))
  const text = sequence(signed, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(common_name, der(0x0c, Buffer.from(name)))))
}

/** Tag, length, value. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts)
  const octets = value.length < 256 ? [value.length] : [value.length >> 8, value.length & 255]
  const length = value.length < 128 ? octets : [0x80 + octets.length, ...octets]
  return Buffer.concat([Buffer.from([tag, ...length]), value])
}

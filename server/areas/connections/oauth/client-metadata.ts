/**
 * Validates client metadata from registration or a metadata document. Redirect URIs are validated
 * strictly; of the other fields only the ones we use are read.
 */
import { limits } from '../../../contract/limits.ts'
import type { ClientRow } from './oauth-store.ts'

export type ClientMetadata = ClientRow['metadata']

/** An OAuth error code with a message for the client's developer. */
export class ClientMetadataError extends Error {
  override readonly name = 'ClientFault'
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  constructor(error: ClientMetadataError['error'], message: string) {
    super(message)
    this.error = error
  }
}

const NAME_CHARACTERS_MAX = 100
const ADDRESS_CHARACTERS_MAX = 2000
const UNNAMED = 'A program without a name'

export function readClientMetadata(given: unknown): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ClientMetadataError('invalid_client_metadata', 'It must be a JSON object.')
  }
  // A null member is like an absent one (RFC 7591, section 2).
  const members = Object.entries(given).filter(([, value]) => value !== null)
  const said = new Map<string, unknown>(members)
  const addresses = readAddresses(said.get('redirect_uris'))
  requireCode(said)
  const client_uri = readPage(said.get('client_uri'))
  return {
    client_name: readName(said.get('client_name')),
    ...(client_uri !== null && { client_uri }),
    redirect_uris: addresses.map(({ text }) => text),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: readMethod(said.get('token_endpoint_auth_method')),
    application_type: addresses.every(({ sort }) => sort === 'web') ? 'web' : 'native',
  }
}

/**
 * `web`: https. `loopback`: http on the person's own machine. `app`: a private-use scheme that
 * opens an app.
 */
type Sort = 'web' | 'loopback' | 'app'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])
/** Schemes that a browser runs, displays or sends itself instead of opening another app. */
const refusedSchemes = new Set(
  'javascript vbscript data blob file filesystem about view-source ws wss ftp mailto'
    .split(' ')
    .map((scheme) => `${scheme}:`),
)

/** Classifies a redirect URI; null if it is not allowed. */
export function classifyRedirectUri(text: string): Sort | null {
  const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text) : null
  if (!url || text.includes('#') || url.username !== '' || url.password !== '') return null
  // URL parsers drop these characters silently, so the URI would look like another one.
  if (/[\s\p{C}\\]/u.test(text)) return null
  if (url.protocol === 'https:') return loopback.has(url.hostname) ? null : 'web'
  if (url.protocol === 'http:') return loopback.has(url.hostname) ? 'loopback' : null
  return refusedSchemes.has(url.protocol) ? null : 'app'
}

function readAddresses(given: unknown): { text: string; sort: Sort }[] {
  const most = limits.oauth_redirect_uris_max
  if (!Array.isArray(given) || given.length === 0 || given.length > most) {
    throw new ClientMetadataError(
      'invalid_redirect_uri',
      `redirect_uris must name 1 to ${most} addresses.`,
    )
  }
  return given.map((text: unknown) => {
    const sort = typeof text === 'string' ? classifyRedirectUri(text) : null
    if (typeof text === 'string' && sort !== null) return { text, sort }
    throw new ClientMetadataError(
      'invalid_redirect_uri',
      'Each of redirect_uris must be an https address, an http address of localhost, 127.0.0.1 or ' +
        '[::1], or one of an app; without a fragment, a user name or a password.',
    )
  })
}

const methods = ['none', 'client_secret_basic', 'client_secret_post'] as const

function readMethod(given: unknown): ClientMetadata['token_endpoint_auth_method'] {
  const method = methods.find((one) => one === (given ?? 'client_secret_basic'))
  if (method !== undefined) return method
  throw new ClientMetadataError(
    'invalid_client_metadata',
    `token_endpoint_auth_method must be one of ${methods.join(', ')}.`,
  )
}

/**
 * Requires the grant type of the authorization code. The client may list other types in addition.
 */
function requireCode(said: ReadonlyMap<string, unknown>): void {
  for (const [name, needed] of [
    ['grant_types', 'authorization_code'],
    ['response_types', 'code'],
  ] as const) {
    const given = said.get(name)
    if (given === undefined || (Array.isArray(given) && given.includes(needed))) continue
    throw new ClientMetadataError('invalid_client_metadata', `${name} must have "${needed}" in it.`)
  }
}

/** Removes control and bidirectional characters, which could disguise the text around the name. */
function readName(given: unknown): string {
  if (typeof given !== 'string') return UNNAMED
  const plain = given
    .normalize('NFC')
    .replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...plain].slice(0, NAME_CHARACTERS_MAX).join('') || UNNAMED
}

function readPage(given: unknown): string | null {
  if (typeof given !== 'string' || given.length > ADDRESS_CHARACTERS_MAX) return null
  return URL.parse(given)?.protocol === 'https:' ? given : null
}

/**
 * Discovery documents: protected resource metadata (RFC 9728) and authorization server metadata
 * (RFC 8414 and OpenID Connect). They are served at every URL where clients look. This file does
 * not import the library, which is loaded only for the first connection.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { scopeNames } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import {
  API_PATH,
  MCP_PATH,
  RESOURCE_METADATA,
  toAudience,
  oauthPaths,
  readingScopes,
} from '../oauth-addresses.ts'

const entryPoints = [MCP_PATH, API_PATH] as const
const serverPlaces = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
] as const

export function addMetadata(app: FastifyInstance, runtime: Runtime): void {
  const add = (url: string, document: () => object) => {
    app.get(url, (_request, reply) => allowAnyOrigin(reply).send(JSON.stringify(document())))
    app.options(url, (_request, reply) => sendPreflight(reply, 'GET'))
  }
  for (const place of serverPlaces) {
    add(place, () => serverMetadata(runtime))
    for (const entry_point of entryPoints) {
      // Paths: inserted before the path of the entry point (RFC 8414), and appended to it (OpenID
      // Connect).
      add(place + entry_point, () => serverMetadata(runtime))
      add(entry_point + place, () => serverMetadata(runtime))
    }
  }
  add(RESOURCE_METADATA, () => resourceMetadata(runtime, MCP_PATH))
  for (const entry_point of entryPoints) {
    // Also served for an entry point with a trailing slash, and appended to it.
    for (const place of [RESOURCE_METADATA + entry_point, `${RESOURCE_METADATA}${entry_point}/`]) {
      add(place, () => resourceMetadata(runtime, entry_point))
    }
    add(entry_point + RESOURCE_METADATA, () => resourceMetadata(runtime, entry_point))
  }
}

/** Allows any origin to read the document, because everything in it is public. */
export function allowAnyOrigin(reply: FastifyReply): FastifyReply {
  return reply.header('Access-Control-Allow-Origin', '*').type('application/json; charset=utf-8')
}

export function sendPreflight(reply: FastifyReply, method: string): FastifyReply {
  return reply
    .code(204)
    .headers({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': method,
      'Access-Control-Allow-Headers': 'Content-Type, MCP-Protocol-Version',
      'Access-Control-Max-Age': '3600',
    })
    .send()
}

function resourceMetadata({ config }: Runtime, entry_point: (typeof entryPoints)[number]): object {
  const { public_url } = config
  return {
    resource: public_url + entry_point,
    resource_name: 'Homeport',
    authorization_servers: [public_url],
    bearer_methods_supported: ['header'],
    // The scopes to start with; operations that need more scopes name them in their challenge.
    scopes_supported: readingScopes,
    resource_documentation: `${public_url}/docs/guides/connect`,
  }
}

function serverMetadata(runtime: Runtime): object {
  const { public_url, oauth_documents } = runtime.config
  const methods = ['none', 'client_secret_basic', 'client_secret_post']
  return {
    issuer: public_url,
    authorization_endpoint: public_url + oauthPaths.authorize,
    token_endpoint: public_url + oauthPaths.token,
    registration_endpoint: public_url + oauthPaths.register,
    revocation_endpoint: public_url + oauthPaths.revoke,
    jwks_uri: public_url + oauthPaths.keys,
    scopes_supported: scopeNames,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    ...(oauth_documents && { client_id_metadata_document_supported: true }),
    protected_resources: [toAudience(runtime), public_url + API_PATH],
    service_documentation: `${public_url}/docs/guides/connect`,
    // OpenID Connect requires these members. No id token is ever issued.
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['EdDSA'],
  }
}

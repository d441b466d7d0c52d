/**
 * Signing in to an app, at /api/_auth/ of its site: JSON for pages of the site, and pages of our own. The
 * session is in a cookie of the host.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as apps from '../../../areas/apps/service.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { SitesHandler } from '../sites-handler.ts'
import { addAuthPages } from './pages.ts'
import {
  AUTH_PATH,
  createAuthGate,
  findVisitSession,
  keepPasskeySecret,
  readPasskeySecret,
  type AuthVisit,
} from './visit.ts'

/** A response of a passkey has up to 20,000 characters. */
const BODY_BYTES_MAX = 32_768

export function addAppAuth(app: FastifyInstance, runtime: Runtime, sites: SitesHandler): void {
  const gate = createAuthGate(runtime, sites)
  const options = { bodyLimit: BODY_BYTES_MAX }

  app.post(`${AUTH_PATH}code`, options, async (request, reply) => {
    const visit = await gate.change(request, reply)
    const { place, language } = visit
    const { email } = readBody(request)
    const is_known = visit.isKnown(email)
    await apps.requestCode(runtime, visit.app, { email, is_known, place, language })
    return fresh(reply).code(204).send()
  })

  app.post(`${AUTH_PATH}session`, options, async (request, reply) => {
    const visit = await gate.change(request, reply)
    const { user, cookie } = await signIn(runtime, visit, readBody(request))
    reply.header('Set-Cookie', cookie)
    visit.rememberBrowser(user.email)
    return fresh(reply).send({ user })
  })

  app.delete(`${AUTH_PATH}session`, options, async (request, reply) => {
    const { app: served } = await gate.act(request, reply)
    await apps.endSession(runtime, served, request.headers.cookie)
    return fresh(reply).header('Set-Cookie', apps.endedCookie(runtime)).code(204).send()
  })

  app.get(`${AUTH_PATH}session`, async (request, reply) => {
    const session = await findVisitSession(runtime, await gate.enter(request, reply))
    return fresh(reply).send({ user: session?.user ?? null })
  })

  app.put(`${AUTH_PATH}password`, options, async (request, reply) => {
    const visit = await gate.change(request, reply)
    const session = await requireSession(runtime, visit)
    const { language, place } = visit
    const { password } = readBody(request)
    await apps.setPassword(runtime, visit.app, { session, password, language, place })
    return fresh(reply).code(204).send()
  })

  addPasskeyRoutes(app, runtime, gate)
  addAuthPages(app, runtime, gate)
}

function addPasskeyRoutes(
  app: FastifyInstance,
  runtime: Runtime,
  gate: ReturnType<typeof createAuthGate>,
): void {
  const options = { bodyLimit: BODY_BYTES_MAX }

  app.get(`${AUTH_PATH}passkey`, async (request, reply) => {
    const visit = await gate.enter(request, reply)
    const question = apps.askForPasskey(runtime, visit, keepPasskeySecret(runtime, visit))
    return fresh(reply).send({ options: question?.options ?? null })
  })

  app.get(`${AUTH_PATH}passkeys`, async (request, reply) => {
    const visit = await gate.enter(request, reply)
    const session = await requireSession(runtime, visit)
    const question = await apps.askForNewPasskey(runtime, visit, { session, service: visit.place })
    const data = await apps.listPasskeys(runtime, visit.app, session)
    return fresh(reply).send({ data, options: question?.options ?? null })
  })

  app.post(`${AUTH_PATH}passkeys`, options, async (request, reply) => {
    const visit = await gate.change(request, reply)
    const session = await requireSession(runtime, visit)
    const { language, place } = visit
    const { name, response } = readBody(request)
    await apps.addPasskey(runtime, visit, { session, name, response, language, place })
    return fresh(reply).code(204).send()
  })

  app.delete<{ Params: { id: string } }>(
    `${AUTH_PATH}passkeys/:id`,
    options,
    async (request, reply) => {
      const visit = await gate.change(request, reply)
      const session = await requireSession(runtime, visit)
      await apps.removePasskey(runtime, visit.app, { session, id: request.params.id })
      return fresh(reply).code(204).send()
    },
  )
}

/** By what the body has: the response of a passkey, a password, or else a code. */
function signIn(runtime: Runtime, visit: AuthVisit, body: Body): Promise<apps.SignIn> {
  const { email, password, code, response } = body
  if (response !== '') {
    const secret = readPasskeySecret(runtime, visit)
    return apps.signInByPasskey(runtime, visit, { secret, response })
  }
  const is_known = visit.isKnown(email)
  if (password === '') return apps.signInByCode(runtime, visit.app, { email, is_known, code })
  visit.countGuess(email)
  return apps.signInByPassword(runtime, visit.app, { email, password })
}

async function requireSession(runtime: Runtime, visit: AuthVisit): Promise<apps.Session> {
  const session = await findVisitSession(runtime, visit)
  if (session) return session
  throw new Problem('forbidden', 'No user of the app is signed in.', {
    user_message: 'Please sign in first.',
    next_step: 'Let the user sign in at /api/_auth/sign-in of the site, then try again.',
  })
}

const fields = ['email', 'code', 'password', 'name'] as const
type Body = Record<(typeof fields)[number] | 'response', string>

/** Fields that are missing or no texts are empty. The response of a passkey may be an object. */
function readBody({ body }: FastifyRequest): Body {
  let read: Record<string, unknown> = {}
  try {
    read = Object(JSON.parse(String(body ?? '{}') || '{}'))
  } catch {
    throw new Problem('invalid_json', 'The body is not JSON.')
  }
  const [email, code, password, name] = fields.map((field) => textOf(read[field]))
  const { response = '' } = read
  const is_object = typeof response === 'object' && response !== null
  const answer = is_object ? JSON.stringify(response) : textOf(response)
  return { email: email!, code: code!, password: password!, name: name!, response: answer }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function fresh(reply: FastifyReply): FastifyReply {
  return reply.header('Cache-Control', 'no-store')
}

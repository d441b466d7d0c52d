/**
 * The sign-in page of an app, /api/_auth/sign-in, and the page where its users change how they sign in,
 * /api/_auth/account. They work without a script, except for passkeys.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as apps from '../../../areas/apps/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { localPath } from '../../../kernel/values/local-path.ts'
import { toProblem } from '../../http/problems.ts'
import { accountPage, codePage, signInPage } from './page-forms.ts'
import {
  ACCOUNT_PATH,
  SCRIPT_PATH,
  SIGN_IN_PATH,
  signInToAccount,
  withReturn,
  type PageState,
} from './page-state.ts'
import { authTexts } from './texts.ts'
import { findVisitSession, readPasskeySecret, type AuthGate, type AuthVisit } from './visit.ts'

const FORM_BYTES_MAX = 65_536

interface FormVisit extends AuthVisit {
  form: URLSearchParams
  to: string
}

export function addAuthPages(app: FastifyInstance, runtime: Runtime, gate: AuthGate): void {
  const script = readFileSync(join(import.meta.dirname, '../../portal/assets/passkeys.js'), 'utf8')
  const options = { bodyLimit: FORM_BYTES_MAX }

  app.get(SCRIPT_PATH, async (request, reply) => {
    await gate.enter(request, reply)
    return reply
      .type('text/javascript; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(script)
  })

  app.get(SIGN_IN_PATH, async (request, reply) => {
    const visit = await gate.enter(request, reply)
    const { to, query } = readQuery(request)
    const session = query.has('again') ? null : await findVisitSession(runtime, visit)
    if (session) return reply.header('Cache-Control', 'no-store').redirect(to, 303)
    return signInPage(runtime, visit, { to })
  })

  app.get(ACCOUNT_PATH, async (request, reply) => {
    const visit = await gate.enter(request, reply)
    const { to, query } = readQuery(request)
    const session = await findVisitSession(runtime, visit)
    if (!session) return redirect(reply, signInToAccount(to))
    return accountPage(runtime, visit, { session, to, is_done: query.has('done') })
  })

  app.post(SIGN_IN_PATH, options, (request, reply) =>
    formVisit(gate, request, reply).then((visit) => signInByForm(runtime, visit)),
  )

  app.post(ACCOUNT_PATH, options, (request, reply) =>
    formVisit(gate, request, reply).then((visit) => changeByForm(runtime, visit)),
  )
}

/** Returns to a path of the site; a sign-in page leads back to its front page. */
function readReturn(given: string | null): string {
  const path = localPath(given ?? '/') ?? '/'
  return path.startsWith(SIGN_IN_PATH) ? '/' : path
}

function readQuery(request: FastifyRequest): { to: string; query: URLSearchParams } {
  const query = new URL(request.url, 'http://site.invalid').searchParams
  return { to: readReturn(query.get('return')), query }
}

async function formVisit(
  gate: AuthGate,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FormVisit> {
  const form = new URLSearchParams(String(request.body ?? ''))
  return { ...(await gate.act(request, reply)), form, to: readReturn(form.get('return')) }
}

function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(to, 303)
}

async function signInByForm(runtime: Runtime, visit: FormVisit): Promise<FastifyReply> {
  const { app, form, to, reply, place, language } = visit
  const email = form.get('email') ?? ''
  const step = form.get('do') ?? ''
  try {
    visit.countTry()
    if (step === 'code') {
      const is_known = visit.isKnown(email)
      await apps.requestCode(runtime, app, { email, is_known, place, language })
      return codePage(visit, { to, email })
    }
    const { user, cookie } = await prove(runtime, visit, { email, step })
    reply.header('Set-Cookie', cookie)
    visit.rememberBrowser(user.email)
    const next = step === 'verify_then' ? withReturn(ACCOUNT_PATH, to) : to
    return redirect(reply, next)
  } catch (error) {
    const state = { to, email, ...faultOf(error, runtime, visit) }
    return step.startsWith('verify') ? codePage(visit, state) : signInPage(runtime, visit, state)
  }
}

function prove(
  runtime: Runtime,
  visit: FormVisit,
  { email, step }: { email: string; step: string },
): Promise<apps.SignIn> {
  const { app, form } = visit
  if (step.startsWith('verify'))
    return apps.signInByCode(runtime, app, {
      email,
      is_known: visit.isKnown(email),
      code: form.get('code') ?? '',
    })
  if (form.has('response')) {
    const secret = readPasskeySecret(runtime, visit)
    return apps.signInByPasskey(runtime, visit, { secret, response: form.get('response') ?? '' })
  }
  visit.countGuess(email)
  return apps.signInByPassword(runtime, app, { email, password: form.get('password') ?? '' })
}

async function changeByForm(runtime: Runtime, visit: FormVisit): Promise<FastifyReply> {
  const { app, form, to, reply, request } = visit
  const step = form.get('do')
  if (step === 'sign_out') {
    await apps.endSession(runtime, app, request.headers.cookie)
    return redirect(reply.header('Set-Cookie', apps.endedCookie(runtime)), to)
  }
  const session = await findVisitSession(runtime, visit)
  if (!session) return redirect(reply, signInToAccount(to))
  try {
    visit.countTry()
    await change(runtime, visit, session)
    return redirect(reply, `${withReturn(ACCOUNT_PATH, to)}&done=1`)
  } catch (error) {
    return accountPage(runtime, visit, { session, to, ...faultOf(error, runtime, visit) })
  }
}

function change(runtime: Runtime, visit: FormVisit, session: apps.Session): Promise<void> {
  const { app, form, language, place } = visit
  const remove = form.get('remove')
  if (remove !== null) return apps.removePasskey(runtime, app, { session, id: remove })
  const given = { session, language, place }
  const response = form.get('response')
  if (response !== null)
    return apps.addPasskey(runtime, visit, { ...given, name: form.get('name') ?? '', response })
  return apps.setPassword(runtime, app, { ...given, password: form.get('password') ?? '' })
}

/** Throws what a page cannot say. */
function faultOf(
  error: unknown,
  runtime: Runtime,
  { request, language }: AuthVisit,
): Pick<PageState, 'fault' | 'status'> {
  const problem = toProblem(error, runtime, request.id)
  const { slug, status, detail, extra } = problem
  const t = authTexts[language]
  const faults: Readonly<Record<string, string>> = {
    '/email': t.bad_email,
    '/code': t.wrong_code,
    '/response': t.wrong_passkey,
    '/name': t.bad_name,
    conflict: t.too_many_passkeys,
    not_found: t.gone,
    rate_limited: t.wait,
    forbidden: t.sign_in_again,
    service_unavailable: t.busy,
  }
  const path = extra.errors?.[0]?.path ?? ''
  const is_of_password = path === '/password'
  if (is_of_password && request.url.startsWith(SIGN_IN_PATH))
    return { status, fault: t.wrong_password }
  if (is_of_password) return { status, fault: detail }
  const fault = faults[path] ?? faults[slug]
  if (fault === undefined && status >= 500) throw error
  return { status, fault: fault ?? detail }
}

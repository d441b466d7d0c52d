/**
 * Somebody with a browser at the portal, as far as HTTP goes: keeps cookies, says where its forms
 * come from, and follows no redirect by itself, so that a test sees each answer.
 */
import assert from 'node:assert/strict'
import { Secret, TOTP } from 'otpauth'
import * as people from '../../server/areas/people/service.ts'
import type { TestHouse } from './house.ts'

interface Answer {
  status: number
  headers: Headers
  text: string
  /** Where it sends the browser, or null. */
  to: string | null
}

export interface Visitor {
  cookies: Map<string, string>
  /** What Set-Cookie said last, by the name of the cookie. */
  told: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(
    path: string,
    form?: Record<string, string | readonly string[]>,
    headers?: Record<string, string>,
  ): Promise<Answer>
}

export function newVisitor({ url }: Pick<TestHouse, 'url'>): Visitor {
  const cookies = new Map<string, string>()
  const told = new Map<string, string>()
  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    told.set(name, line)
    if (value === '' || /max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
  async function ask(path: string, init: RequestInit): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'user-agent': 'A browser of a test', ...(cookie && { cookie }) }
    const response = await fetch(url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...headers, ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) keep(line)
    const text = await response.text()
    const to = response.headers.get('location')
    return { status: response.status, headers: response.headers, text, to }
  }
  return {
    cookies,
    told,
    get: (path, headers = {}) => ask(path, { headers }),
    post(path, form = {}, headers = {}) {
      const body = new URLSearchParams()
      for (const [name, values] of Object.entries(form)) {
        for (const value of [values].flat()) body.append(name, String(value))
      }
      const said = { origin: url, 'sec-fetch-site': 'same-origin', ...headers }
      return ask(path, { method: 'POST', body, headers: said })
    },
  }
}

/** A visitor who signed in with a link of the operator. */
export async function signIn(ground: TestHouse, email: string): Promise<Visitor> {
  const visitor = newVisitor(ground)
  const page = await visitor.get(await linkFor(ground, email))
  assert.equal(page.to, '/portal', page.text)
  return visitor
}

/** Sets up an authenticator app for somebody who has just signed in. Gives its codes. */
export async function turnOnTotp({ clock }: Pick<TestHouse, 'clock'>, visitor: Visitor) {
  const setup = await visitor.get('/portal/account/totp')
  const [, sealed = ''] = /name="sealed" value="([^"]+)"/.exec(setup.text) ?? []
  const [, secret = ''] = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(setup.text) ?? []
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  const code = () => totp.generate({ timestamp: clock.now_ms() })
  const page = await visitor.post('/portal/account/totp', { sealed, code: code() })
  const recovery = [...page.text.matchAll(/<code>([a-z2-9]{5}-[a-z2-9]{5})<\/code>/g)].map(
    ([, text = '']) => text,
  )
  assert.equal(recovery.length, 10, page.text)
  return { code, recovery }
}

/** The path of a new link. */
export async function linkFor({ house }: TestHouse, email: string): Promise<string> {
  const secret = await people.createLink(house, { realm: 'portal', email })
  assert.ok(secret, `${email} may not sign in.`)
  return people.linkUrl('', secret)
}

/** A new project of somebody who has not signed in yet. */
export async function ownedBy(
  { house, newProject }: TestHouse,
  owner_email: string,
): Promise<string> {
  const { project_id } = await newProject()
  await house.db.transact((tx) =>
    tx.updateTable('projects').set({ owner_email }).where('id', '=', project_id).execute(),
  )
  return project_id
}

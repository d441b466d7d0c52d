/**
 * The pages of the portal that need no script: sign-in, consent, the decision about an approval, and
 * appeals. The routes are listed here, but for those of the consent of OAuth; the pages are in pages/.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { readStyle } from '../html/style.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { toProblem, createProblemHeaders } from '../http/problems.ts'
import { LANGUAGE_PATH, setPageHeaders, sendPage, STYLE_PATH } from './layout.ts'
import { addMovedPages } from './moved-pages.ts'
import { addAppeals } from './pages/appeal.ts'
import { approvalPage, approve, edit, reject } from './pages/approvals/approval.ts'
import { submitSecondFactor, secondFactorPage } from './pages/account/second-factor.ts'
import { openLink, useLink } from './pages/account/link.ts'
import { switchLanguage } from './pages/language.ts'
import { problemPage } from './pages/problem.ts'
import {
  beginConfirmation,
  confirmByPasskey,
  confirmPage,
  submitAddress,
  submitCode,
  submitPassword,
  proofPage,
  sendCode,
  signInByPasskey,
  signInPage,
  signOut,
} from './pages/account/sign-in.ts'
import { PASSKEY_SCRIPT_PATH } from './pages/account/passkey-form.ts'
import {
  addressPage,
  codePage,
  sendCode as sendSignUpCode,
  submitAddress as signUpAddress,
  submitCode as signUpCode,
} from './pages/sign-up/address.ts'
import {
  methodPage,
  projectPage,
  submitPasskey,
  submitPassword as signUpPassword,
  submitProject,
} from './pages/sign-up/finish.ts'
import { acceptInvitation, invitationPage } from './pages/sign-up/invitation.ts'
import { ROOT, TERMS, unlessClosed } from './pages/sign-up/parts.ts'
import { termsPage } from './pages/sign-up/terms.ts'
import { createPortal, findLanguage, type Portal } from './visit.ts'
import type { Operation } from '../../contract/operation.ts'
import { listScopesInUse } from '../docs/available.ts'

const folder = join(import.meta.dirname, 'assets')
/** The style sheets, in this order, because later rules win. */
const styles = ['portal.css', 'controls.css']

interface PortalParts {
  operations: readonly Operation[]
  /** Adds the pages of another edge, which use the same frame and sessions. */
  more: readonly ((portal: Portal) => void)[]
}

export function addPortal(
  app: FastifyInstance,
  runtime: Runtime,
  { operations, more }: PortalParts,
): void {
  // An encapsulated scope, because errors here are pages instead of problem documents.
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const problem = toProblem(error, runtime, request.id)
      return sendPage(
        reply.headers(createProblemHeaders(problem)),
        problemPage(problem, findLanguage(request)),
        problem.status,
      )
    })
    const portal = createPortal(scope, runtime, listScopesInUse(operations))
    addAppeals(portal, runtime)
    addSignIn(portal)
    addSignUp(portal)
    addPages(portal)
    for (const add of more) add(portal)
    addAsset(scope, STYLE_PATH, ['text/css; charset=utf-8', readStyle(folder, styles)])
    const script = readFileSync(join(folder, 'passkeys.js'), 'utf8')
    addAsset(scope, PASSKEY_SCRIPT_PATH, ['text/javascript; charset=utf-8', script])
  })
}

function addSignIn(portal: Portal): void {
  const root = '/portal/sign-in'
  portal.open(`GET ${root}`, signInPage)
  portal.open(`POST ${root}`, submitAddress)
  portal.open(`GET ${root}/proof`, proofPage)
  portal.open(`POST ${root}/password`, submitPassword)
  portal.open(`POST ${root}/code/send`, sendCode)
  portal.open(`POST ${root}/code`, submitCode)
  portal.open(`GET ${root}/second`, secondFactorPage)
  portal.open(`POST ${root}/second`, submitSecondFactor)
  portal.open(`GET ${root}/link/:secret`, openLink)
  portal.open(`POST ${root}/link/:secret`, useLink)
  portal.open(`POST ${root}/passkey`, signInByPasskey)
  portal.person('GET /portal/confirm', confirmPage)
  portal.person('POST /portal/confirm', beginConfirmation)
  portal.person('POST /portal/confirm/passkey', confirmByPasskey)
  portal.open('POST /portal/sign-out', signOut)
}

function addSignUp(portal: Portal): void {
  portal.open(`GET ${ROOT}`, unlessClosed(addressPage))
  portal.open(`POST ${ROOT}`, unlessClosed(signUpAddress))
  portal.open(
    `GET ${ROOT}/code`,
    unlessClosed((visit) => codePage(visit)),
  )
  portal.open(`POST ${ROOT}/code`, unlessClosed(signUpCode))
  portal.open(`POST ${ROOT}/code/send`, unlessClosed(sendSignUpCode))
  portal.open(
    `GET ${ROOT}/invitation/:secret`,
    unlessClosed((visit) => invitationPage(visit)),
  )
  portal.open(`POST ${ROOT}/invitation/:secret`, unlessClosed(acceptInvitation))
  portal.person(
    `GET ${ROOT}/method`,
    unlessClosed((visit) => methodPage(visit)),
  )
  portal.person(`POST ${ROOT}/method/password`, unlessClosed(signUpPassword))
  portal.person(`POST ${ROOT}/method/passkey`, unlessClosed(submitPasskey))
  portal.person(
    `GET ${ROOT}/project`,
    unlessClosed((visit) => projectPage(visit)),
  )
  portal.person(`POST ${ROOT}/project`, unlessClosed(submitProject))
  portal.open(`GET ${TERMS}`, unlessClosed(termsPage))
}

function addPages(portal: Portal): void {
  portal.open('GET /', async () => ({ to: '/portal' }))
  portal.open(`POST ${LANGUAGE_PATH}`, switchLanguage)
  const approvals = '/portal/projects/:id/approvals/:approval_id'
  portal.project(`GET ${approvals}`, 'viewer', (visit) => approvalPage(visit))
  portal.project(`POST ${approvals}/approve`, 'member', approve)
  portal.project(`POST ${approvals}/edit`, 'member', edit)
  portal.project(`POST ${approvals}/reject`, 'member', reject)
  addMovedPages(portal)
  for (const route of ['GET /portal/*', 'POST /portal/*'] as const) {
    portal.open(route, async () => {
      throw new Problem('not_found', 'The portal has no such page.', {
        user_message: 'The portal has no such page.',
      })
    })
  }
}

/**
 * Registers an asset. Browsers may cache it but must revalidate it; the answer is 304 if it is
 * unchanged.
 */
function addAsset(
  app: FastifyInstance,
  path: string,
  [type, text]: readonly [type: string, text: string],
): void {
  const etag = `"${sha256(text).toString('base64url')}"`
  app.get(path, (request, reply) => {
    setPageHeaders(reply).headers({ ETag: etag, 'Cache-Control': 'no-cache' })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    return reply.type(type).send(text)
  })
}

/**
 * The portal: server-rendered pages that need no script. Every route is listed here; the pages are
 * in pages/.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { readStyle } from '../html/style.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { toProblem, createProblemHeaders } from '../http/problems.ts'
import { setPageHeaders, sendPage, STYLE_PATH } from './layout.ts'
import { addAppeals } from './pages/appeal.ts'
import { approvalPage, approve, edit, reject } from './pages/approvals/approval.ts'
import { approvalsPage } from './pages/approvals/approvals.ts'
import { renderAccountPage, endSession, savePassword } from './pages/account/account.ts'
import {
  confirmTotp,
  submitSecondFactor,
  newRecoveryCodes,
  removeTotp,
  secondFactorPage,
  totpPage,
} from './pages/account/second-factor.ts'
import {
  changeConnection,
  connectionsPage,
  revokeConnection,
} from './pages/connections/connections.ts'
import { consentPage, decideConsent } from './pages/connections/consent.ts'
import { orderTopUp, saveAutoReload, saveCap } from './pages/billing/billing-settings.ts'
import { billingPage } from './pages/billing/billing.ts'
import { callPage, callsPage } from './pages/calls/calls.ts'
import { companyPage, saveCompany } from './pages/billing/company.ts'
import { goLivePage, switchRail } from './pages/billing/go-live.ts'
import { answerInvitation, homePage } from './pages/home.ts'
import { changeKey, keyPage, revokeKey, revokePage } from './pages/keys/key.ts'
import { createKey, keysPage } from './pages/keys/keys.ts'
import { openLink, useLink } from './pages/account/link.ts'
import {
  addPasskey,
  newPasskeyPage,
  removePasskey,
  renamePasskey,
} from './pages/account/passkeys.ts'
import { problemPage } from './pages/problem.ts'
import { projectPage } from './pages/project/project.ts'
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
import {
  changeMember,
  inviteMember,
  removeMember,
  teamPage,
  withdrawInvitation,
} from './pages/team/team.ts'
import { enableEndpoint, sendAgain, testEndpoint, webhooksPage } from './pages/project/webhooks.ts'
import { toTeamProblem } from './pages/team/team-problem.ts'
import { PASSKEY_SCRIPT_PATH } from './pages/account/passkey-form.ts'
import { createPortal, type Portal } from './visit.ts'
import type { Operation } from '../../contract/operation.ts'
import { listScopesInUse } from '../docs/describe/available.ts'

const folder = join(import.meta.dirname, 'assets')
/** The style sheets, in this order, because later rules win. */
const styles = ['portal.css', 'controls.css', 'pages.css', 'narrow.css']

export function addPortal(
  app: FastifyInstance,
  runtime: Runtime,
  operations: readonly Operation[],
): void {
  // An encapsulated scope, because errors here are pages instead of problem documents.
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const problem = toProblem(toTeamProblem(error), runtime, request.id)
      return sendPage(
        reply.headers(createProblemHeaders(problem)),
        problemPage(problem),
        problem.status,
      )
    })
    const portal = createPortal(scope, runtime, listScopesInUse(operations))
    addAppeals(portal, runtime)
    addSignIn(portal)
    addPages(portal)
    addProjectPages(portal)
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

function addPages(portal: Portal): void {
  portal.open('GET /', async () => ({ to: '/portal' }))
  portal.person('GET /portal', homePage)
  portal.person('POST /portal/invitations/:id/:invitation_id/:answer', answerInvitation)
  portal.person('GET /portal/connect/:uid', consentPage)
  portal.person('POST /portal/connect/:uid', decideConsent)
  portal.person('GET /portal/account', renderAccountPage)
  portal.person('POST /portal/account/password', savePassword)
  portal.person('GET /portal/account/totp', totpPage)
  portal.person('POST /portal/account/totp', confirmTotp)
  portal.person('GET /portal/account/totp/remove', removeTotp)
  portal.person('POST /portal/account/totp/remove', removeTotp)
  portal.person('POST /portal/account/recovery-codes', newRecoveryCodes)
  portal.person('GET /portal/account/passkeys', newPasskeyPage)
  portal.person('POST /portal/account/passkeys', addPasskey)
  portal.person('POST /portal/account/passkeys/:passkey_id/name', renamePasskey)
  portal.person('GET /portal/account/passkeys/:passkey_id/remove', removePasskey)
  portal.person('POST /portal/account/passkeys/:passkey_id/remove', removePasskey)
  portal.person('POST /portal/account/sessions/:session_id/end', endSession)
  for (const route of ['GET /portal/*', 'POST /portal/*'] as const) {
    portal.open(route, async () => {
      throw new Problem('not_found', 'The portal has no such page.', {
        user_message: 'The portal has no such page.',
      })
    })
  }
}

/** Pages that links name and that exist with scripts only. */
const pagesWithScripts = ['assistant', 'requests', 'settings']

function addProjectPages(portal: Portal): void {
  const root = '/portal/projects/:id'
  portal.project(`GET ${root}`, 'viewer', projectPage)
  portal.project(`GET ${root}/approvals`, 'viewer', approvalsPage)
  portal.project(`GET ${root}/approvals/:approval_id`, 'viewer', (visit) => approvalPage(visit))
  portal.project(`POST ${root}/approvals/:approval_id/approve`, 'member', approve)
  portal.project(`POST ${root}/approvals/:approval_id/edit`, 'member', edit)
  portal.project(`POST ${root}/approvals/:approval_id/reject`, 'member', reject)
  portal.project(`GET ${root}/calls`, 'viewer', callsPage)
  portal.project(`GET ${root}/calls/:call_id`, 'viewer', callPage)
  portal.project(`GET ${root}/go-live`, 'viewer', (visit) => goLivePage(visit))
  portal.project(`POST ${root}/go-live/:rail`, 'admin', switchRail)
  portal.project(`GET ${root}/company`, 'viewer', (visit) => companyPage(visit))
  portal.project(`POST ${root}/company`, 'admin', saveCompany)
  portal.project(`GET ${root}/billing`, 'viewer', (visit) => billingPage(visit))
  portal.project(`POST ${root}/billing/top-up`, 'admin', orderTopUp)
  portal.project(`POST ${root}/billing/cap`, 'admin', saveCap)
  portal.project(`POST ${root}/billing/auto-reload`, 'admin', saveAutoReload)
  portal.project(`GET ${root}/webhooks`, 'viewer', webhooksPage)
  portal.project(`POST ${root}/webhooks/:endpoint_id/enable`, 'member', enableEndpoint)
  portal.project(`POST ${root}/webhooks/:endpoint_id/test`, 'member', testEndpoint)
  portal.project(`GET ${root}/keys`, 'admin', keysPage)
  portal.project(`POST ${root}/keys`, 'admin', createKey)
  portal.project(`GET ${root}/keys/:key_id`, 'admin', keyPage)
  portal.project(`POST ${root}/keys/:key_id`, 'admin', changeKey)
  portal.project(`GET ${root}/keys/:key_id/revoke`, 'admin', revokePage)
  portal.project(`POST ${root}/keys/:key_id/revoke`, 'admin', revokeKey)
  portal.project(`GET ${root}/connections`, 'viewer', connectionsPage)
  portal.project(`POST ${root}/connections/:connection_id/change`, 'viewer', changeConnection)
  portal.project(`GET ${root}/connections/:connection_id/revoke`, 'viewer', revokeConnection)
  portal.project(`POST ${root}/connections/:connection_id/revoke`, 'viewer', revokeConnection)
  portal.project(`GET ${root}/team`, 'viewer', teamPage)
  portal.project(`POST ${root}/team/invite`, 'admin', inviteMember)
  portal.project(`POST ${root}/team/members/:person_id/change`, 'admin', changeMember)
  // Every member may leave; the team area decides which others a member may remove.
  portal.project(`GET ${root}/team/members/:person_id/remove`, 'viewer', removeMember)
  portal.project(`POST ${root}/team/members/:person_id/remove`, 'viewer', removeMember)
  portal.project(
    `POST ${root}/team/invitations/:invitation_id/withdraw`,
    'admin',
    withdrawInvitation,
  )
  portal.project(`POST ${root}/deliveries/:delivery_id/redeliver`, 'member', sendAgain)
  for (const page of pagesWithScripts) {
    portal.project(`GET ${root}/${page}`, 'viewer', async ({ membership }) => ({
      to: `/portal/app/projects/${membership.project.id}/${page}`,
    }))
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

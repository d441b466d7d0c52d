/** Tests of the event loop delay of the OAuth endpoints; first requests are in test/first-uses.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  codeFor,
  registerNewClient,
  newRequest,
  redeemCode,
  renewTokens,
  type Tokens,
} from '../../../../test/fixtures/portal/oauth.ts'
import { newVisitor } from '../../../../test/fixtures/portal/portal.ts'
import {
  requireShort,
  startProbedServer,
} from '../../../../test/fixtures/processes/probed-server.ts'

const server = await startProbedServer()
const visitor = newVisitor(server)
for (const pair of server.cookie.split('; ')) {
  const [name = '', value = ''] = pair.split('=')
  visitor.cookies.set(name, value)
}

test('connecting a client and renewing its tokens does not block the event loop', async () => {
  const program = await registerNewClient(server)
  const held: Tokens[] = []
  await requireShort(server, 'a connection', async () => {
    const request = newRequest(program)
    const code = await codeFor(visitor, request, { project_id: server.project_id })
    const { status, body } = await redeemCode(server, program, { code, verifier: request.verifier })
    assert.equal(status, 200, JSON.stringify(body))
    held.push(body)
  })
  await requireShort(server, 'a renewal', async () => {
    const { status, body } = await renewTokens(server, program, held.at(-1)!)
    assert.equal(status, 200, JSON.stringify(body))
    held.push(body)
  })
})

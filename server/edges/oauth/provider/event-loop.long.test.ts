/** Prints how long the OAuth endpoints block the event loop; first requests are in test/first-uses.long.test.ts. */
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
import { reportBusy, startProbedServer } from '../../../../test/fixtures/processes/probed-server.ts'

const server = await startProbedServer()
const visitor = newVisitor(server)
for (const pair of server.cookie.split('; ')) {
  const [name = '', value = ''] = pair.split('=')
  visitor.cookies.set(name, value)
}

test('a client is connected and its tokens are renewed', async () => {
  const program = await registerNewClient(server)
  const held: Tokens[] = []
  await reportBusy(server, 'a connection', async () => {
    const request = newRequest(program)
    const code = await codeFor(visitor, request, { project_id: server.project_id })
    const { status, body } = await redeemCode(server, program, { code, verifier: request.verifier })
    assert.equal(status, 200, JSON.stringify(body))
    held.push(body)
  })
  await reportBusy(server, 'a renewal', async () => {
    const { status, body } = await renewTokens(server, program, held.at(-1)!)
    assert.equal(status, 200, JSON.stringify(body))
    held.push(body)
  })
})

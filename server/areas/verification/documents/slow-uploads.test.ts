/** Tests of uploads that arrive slowly. */
import assert from 'node:assert/strict'
import { request, type ClientRequest } from 'node:http'
import { test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { verificationFixture, type Owner } from '../../../../test/fixtures/verification/owners.ts'
import { pdf } from '../../../../test/fixtures/verification/pdf.ts'

const fixture = await openTestRuntime({ work: false })
const { newOwner } = verificationFixture(fixture)

async function beginUpload(owner: Owner): Promise<ClientRequest> {
  const announced = await owner.call('POST /documents', {
    kind: 'identity',
    filename: 'a.pdf',
    bytes: pdf.length,
  })
  const url = new URL(new URL(announced.body.url).pathname, fixture.url)
  const sending = request(url, { method: 'PUT', headers: { 'Content-Length': pdf.length } })
  sending.on('error', () => {})
  await new Promise((sent) => sending.write(pdf.subarray(0, 10), sent))
  return sending
}

test('a document is accepted while those of other projects arrive slowly', async () => {
  const others: Owner[] = []
  for (let count = 0; count < 5; count += 1) others.push(await newOwner())
  const owner = await newOwner()
  const slow = await Promise.all(others.map(beginUpload))
  const answer = await owner.upload('identity', pdf)
  assert.equal(answer.status, 200, answer.text)
  for (const sending of slow) sending.destroy()
})

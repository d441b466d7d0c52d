/** Tests of reviews: by the operator and the business register, decisions at once, and withdrawal. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { businessDetails, personDetails } from '../../../../test/fixtures/live-projects.ts'
import { newOperator } from '../../../../test/fixtures/portal/operator.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { verificationFixture, type Owner } from '../../../../test/fixtures/verification/owners.ts'
import { pdf } from '../../../../test/fixtures/verification/pdf.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import * as projects from '../../projects/service.ts'
import { sweepEvidence } from '../documents/sweep.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
    HOMEPORT_OPERATOR_EMAIL: 'desk@operators.example',
    HOMEPORT_REGISTER_TIMEOUT_S: '1',
    HOMEPORT_VERIFICATION_KEPT_DAYS: '7',
  },
})
const { runtime } = fixture
const { newOwner, readyForCompany, withCompany } = verificationFixture(fixture)
const operators = await newOperator(fixture)
const slugOf = ({ status, body }: Answer) => [status, String(body.type).split('/').at(-1)]
const submit = (owner: Owner, level: string) => owner.call(`POST /levels/${level}/submit`)
const mailsTo = (email: string) =>
  mailServer.mails.filter(({ to }: any) => String(to).includes(email))
const documents = ['proof_of_address', 'identity', 'company_registration'] as const
const anna = { name: 'Anna de Vries', birth_date: '1984-05-17' }
const declaration = {
  director: anna,
  owners: [{ ...anna, share_percent: 60 }],
  signature: 'Anna de Vries',
}

async function give(owner: Owner, kinds: readonly string[] = documents) {
  for (const kind of kinds) {
    const answer = await owner.upload(kind, pdf, `${kind}.pdf`)
    assert.equal(answer.status, 200, answer.text)
  }
}

async function inReview(level: 'number_documents' | 'full' = 'number_documents') {
  const owner = await withCompany()
  if (level === 'full') {
    await give(owner, ['director_identity'])
    await owner.call('PUT /declaration', declaration)
  } else await give(owner)
  const sent = await submit(owner, level)
  assert.equal(sent.status, 200, sent.text)
  return { owner, id: await reviewOf(owner) }
}

async function reviewOf({ project_id }: Owner): Promise<string> {
  const operator = await operators.fresh()
  const { body } = await operator.call('GET /operator/verifications')
  const found = body.data.find((one: any) => one.project_id === project_id)
  return found?.id
}

const decide = async (id: string, body: object) =>
  (await operators.fresh()).call(`POST /operator/verifications/${id}/decide`, { body })

const putCompany = ({ session, project_id }: Owner, body: object) =>
  session.call(`PUT /projects/${project_id}/project/company`, { body })

/** Waits for the job of the register. */
const settled = (owner: Owner) =>
  eventually(async () => {
    const level = await owner.levelOf('company')
    return level.status === 'pending' ? null : level
  })

longTest('a level is sent for review ten times a day at most', async () => {
  const { owner } = await inReview()
  for (let count = 1; count < 10; count += 1) {
    await owner.call('POST /levels/number_documents/withdraw')
    assert.equal((await submit(owner, 'number_documents')).status, 200)
  }
  await owner.call('POST /levels/number_documents/withdraw')
  assert.deepEqual(slugOf(await submit(owner, 'number_documents')), [429, 'rate_limited'])
  fixture.passes('25 hours')
  assert.equal((await submit(owner, 'number_documents')).status, 200)
})

describe('documents for numbers', () => {
  test('are reviewed once all are given, and unlock the level', async () => {
    const owner = await withCompany()
    await give(owner, ['proof_of_address', 'identity'])
    const early = await submit(owner, 'number_documents')
    assert.deepEqual(slugOf(early), [403, 'verification_required'])
    assert.deepEqual(early.body.missing, ['document.company_registration'])
    await give(owner, ['company_registration'])
    const sent = await submit(owner, 'number_documents')
    assert.equal(sent.status, 200, sent.text)
    const pending = await owner.levelOf('number_documents')
    assert.deepEqual([pending.status, pending.missing], ['pending', []])
    assert.deepEqual(slugOf(await submit(owner, 'number_documents')), [409, 'conflict'])
    assert.deepEqual(slugOf(await owner.upload('identity', pdf)), [409, 'conflict'])
    await eventually(() => mailsTo('desk@operators.example').length > 0)
    const id = await reviewOf(owner)
    const operator = await operators.fresh()
    const shown = await operator.call(`GET /operator/verifications/${id}`)
    assert.deepEqual(
      shown.body.documents.map(({ kind }: any) => kind).toSorted(),
      [...documents].toSorted(),
    )
    assert.equal(shown.body.company.company_name, businessDetails.company_name)
    const decided = await decide(id, { decision: 'approved' })
    assert.equal(decided.status, 200, decided.text)
    const level = await owner.levelOf('number_documents')
    assert.deepEqual([level.status, level.reason, level.missing], ['approved', null, []])
    const mail = await eventually(() => mailsTo(owner.email).at(-1))
    assert.match(mail.text, /is approved/)
    assert.deepEqual(slugOf(await owner.upload('identity', pdf)), [409, 'conflict'])
    const key = await fixture.newKey({ project_id: owner.project_id })
    const { body } = await fixture.call('GET /project', { key })
    assert.equal(body.verification.levels[2].status, 'approved')
  })

  test('need the level company first', async () => {
    const owner = await newOwner()
    await give(owner)
    const refused = await submit(owner, 'number_documents')
    assert.deepEqual(refused.body.missing, ['level.company'])
  })

  test('are missing again one by one after a rejection with a reason', async () => {
    const { owner, id } = await inReview()
    const reason = 'The statement is older than three months.'
    assert.deepEqual(slugOf(await decide(id, { decision: 'rejected', reason: ' ' })), [
      422,
      'validation_failed',
    ])
    const ask_again = ['document.proof_of_address']
    const decided = await decide(id, { decision: 'rejected', reason, ask_again })
    assert.equal(decided.status, 200, decided.text)
    const level = await owner.levelOf('number_documents')
    assert.deepEqual([level.status, level.reason, level.missing], ['rejected', reason, ask_again])
    const mail = await eventually(() => mailsTo(owner.email).at(-1))
    assert.match(mail.text, /older than three months/)
    await give(owner, ['proof_of_address'])
    assert.equal((await submit(owner, 'number_documents')).status, 200)
    assert.equal((await owner.levelOf('number_documents')).reason, null)
    const again = await reviewOf(owner)
    assert.notEqual(again, id)
    assert.equal((await decide(again, { decision: 'approved' })).status, 200)
  })

  test('are deleted the configured days after the decision, and the level stays', async () => {
    const { owner, id } = await inReview()
    fixture.passes('100 days')
    await sweepEvidence.run(runtime)
    const blobs = () => Array.fromAsync(runtime.blobs.list(`${owner.project_id}/`))
    assert.equal((await blobs()).length, 3, 'nothing is deleted while it is in review')
    await decide(id, { decision: 'approved' })
    fixture.passes('6 days')
    await sweepEvidence.run(runtime)
    assert.equal((await blobs()).length, 3)
    fixture.passes('2 days')
    await sweepEvidence.run(runtime)
    assert.deepEqual(await blobs(), [])
    const later = await runtime.db
      .selectFrom('projects')
      .select('number_documents_status')
      .where('id', '=', owner.project_id)
      .executeTakeFirstOrThrow()
    assert.equal(later.number_documents_status, 'approved')
  })

  test('can be taken back out of review', async () => {
    const { owner, id } = await inReview()
    assert.equal((await owner.call('POST /levels/number_documents/withdraw')).status, 200)
    assert.equal((await owner.levelOf('number_documents')).status, 'not_started')
    assert.deepEqual(slugOf(await decide(id, { decision: 'approved' })), [409, 'conflict'])
    assert.equal((await owner.upload('identity', pdf)).status, 200)
  })
})

describe('the level full', () => {
  test('needs declaration, identity of the director and a review, and unlocks a higher cap', async () => {
    const { owner, id } = await inReview('full')
    const { project_id, session } = owner
    const cap = () =>
      session.call(`PUT /projects/${project_id}/spending-cap`, { body: { spend_cap_eur: 900 } })
    const pending = await owner.levelOf('full')
    assert.deepEqual([pending.status, pending.missing], ['pending', ['review']])
    const operator = await operators.fresh()
    const { body } = await operator.call(`GET /operator/verifications/${id}`)
    assert.equal(body.declaration.owners[0].share_percent, 60)
    assert.equal(body.declaration.signature, 'Anna de Vries')
    await decide(id, { decision: 'approved' })
    assert.equal((await projects.find(runtime.db, project_id))?.full_status, 'approved')
    await assert.doesNotReject(
      projects.change(runtime.db, project_id, { spending_limit_micro: microFromEuro(900) }),
    )
    assert.equal((await cap()).status, 403, 'the session needs a fresh confirmation')
  })

  test('is required for a spending cap above 500 euro', async () => {
    const owner = await withCompany()
    const answer = await owner.session.call(`PUT /projects/${owner.project_id}/spending-cap`, {
      body: { spend_cap_eur: 501 },
    })
    assert.deepEqual(slugOf(answer), [403, 'verification_required'])
    assert.deepEqual(answer.body.missing, ['level.full'])
    assert.match(answer.body.next_step, /page Verification/)
  })

  test('asks for the declaration again if that was wrong', async () => {
    const { owner, id } = await inReview('full')
    const ask_again = ['ubo_confirmation']
    await decide(id, { decision: 'rejected', reason: 'An owner is missing.', ask_again })
    const level = await owner.levelOf('full')
    assert.deepEqual(level.missing, ['ubo_confirmation', 'review'])
    assert.equal((await owner.call('GET /')).body.declared_at, null)
  })
})

describe('two operators at once', () => {
  test('decide once, and the second gets 409', async () => {
    const { owner, id } = await inReview()
    const operator = await operators.fresh()
    const path = `POST /operator/verifications/${id}/decide`
    const answers = await Promise.all([
      operator.call(path, { body: { decision: 'approved' } }),
      operator.call(path, { body: { decision: 'rejected', reason: 'Unreadable.' } }),
      operator.call(path, { body: { decision: 'approved' } }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409])
    const winner = answers.find(({ status }) => status === 200)
    assert.equal((await owner.levelOf('number_documents')).status, winner?.body.status)
  })
})

describe('a change of the account type', () => {
  test('withdraws reviews and resets number_documents and full, and nothing else', async () => {
    const { owner, id } = await inReview()
    const changed = await putCompany(owner, personDetails)
    assert.equal(changed.status, 200, changed.text)
    const { body } = await owner.call('GET /')
    const states = body.levels.map(({ level, status }: any) => [level, status])
    assert.deepEqual(states, [
      ['test', 'approved'],
      ['company', 'approved'],
      ['number_documents', 'not_started'],
      ['full', 'not_started'],
    ])
    assert.equal(await reviewOf(owner), undefined)
    assert.deepEqual(slugOf(await decide(id, { decision: 'approved' })), [409, 'conflict'])
    assert.ok((await owner.levelOf('number_documents')).missing.includes('document.identity'))
  })

  test('resets approved levels too', async () => {
    const { owner, id } = await inReview()
    await decide(id, { decision: 'approved' })
    const session = owner.session
    await putCompany({ ...owner, session }, personDetails)
    const level = await owner.levelOf('number_documents')
    assert.deepEqual([level.status, level.reason], ['not_started', null])
  })

  test('during a decision leaves no level approved for the old type', async () => {
    const { owner, id } = await inReview()
    const operator = await operators.fresh()
    const [decided] = await Promise.all([
      operator.call(`POST /operator/verifications/${id}/decide`, {
        body: { decision: 'approved' },
      }),
      putCompany(owner, personDetails),
    ])
    assert.ok([200, 409].includes(decided.status), decided.text)
    assert.equal((await owner.levelOf('number_documents')).status, 'not_started')
  })
})

describe('the business register', () => {
  test('approves a company that matches, at once', async () => {
    const owner = await readyForCompany()
    assert.equal((await owner.call('GET /')).body.checked_by, 'register')
    assert.equal((await submit(owner, 'company')).status, 200)
    assert.equal((await settled(owner)).status, 'approved')
    await eventually(() => mailsTo(owner.email).length > 0)
    const key = await fixture.newKey({ project_id: owner.project_id, mode: 'live' })
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
  })

  const refused: [what: string, change: object, why: RegExp][] = [
    ['an unknown number', { kvk_number: '01234567' }, /no company with this number/],
    ['another name', { company_name: 'Slagerij Jansen' }, /another name/],
    ['a company that has ended', { kvk_number: '12349997' }, /ended/],
    [
      'another address',
      { address: { ...businessDetails.address, house_number: '99' } },
      /another address/,
    ],
  ]
  for (const [what, change, why] of refused) {
    test(`refuses ${what} with a reason`, async () => {
      const owner = await readyForCompany({ ...businessDetails, ...change })
      await submit(owner, 'company')
      const level = await settled(owner)
      assert.equal(level.status, 'rejected')
      assert.match(level.reason, why)
    })
  }

  test('accepts a trade name in another spelling', async () => {
    const owner = await readyForCompany({ ...businessDetails, company_name: 'DE MOLEN BROOD BV' })
    await submit(owner, 'company')
    assert.equal((await settled(owner)).status, 'approved')
  })

  test('is asked again without an answer, and after a day the operator decides', async () => {
    const owner = await readyForCompany({ ...businessDetails, kvk_number: '12349998' })
    await submit(owner, 'company')
    let seen = 0
    await eventually(async () => {
      fixture.passes('12 hours')
      seen += 1
      const [row] = await runtime.db
        .selectFrom('verification_reviews')
        .select('way')
        .where('project_id', '=', owner.project_id)
        .execute()
      return row?.way === 'operator'
    })
    assert.ok(seen >= 2)
    const id = await reviewOf(owner)
    assert.equal((await decide(id, { decision: 'approved' })).status, 200)
    assert.equal((await projects.find(runtime.db, owner.project_id))?.company_status, 'approved')
  })

  test('leaves other countries and persons to the operator', async () => {
    const german = {
      ...businessDetails,
      kvk_number: null,
      registration_number: 'HRB 1234',
      address: { ...businessDetails.address, country: 'DE' },
    }
    for (const details of [german, personDetails]) {
      const owner = await readyForCompany(details)
      assert.equal((await owner.call('GET /')).body.checked_by, 'operator')
      assert.equal((await submit(owner, 'company')).status, 200)
      assert.equal((await owner.levelOf('company')).status, 'pending')
      assert.ok(await reviewOf(owner))
    }
  })

  test('is asked again after the name or the number changes', async () => {
    const owner = await readyForCompany()
    await submit(owner, 'company')
    assert.equal((await settled(owner)).status, 'approved')
    await putCompany(owner, {
      ...businessDetails,
      contact: { ...businessDetails.contact, name: 'Bo' },
    })
    assert.equal((await owner.levelOf('company')).status, 'approved')
    const { project_id } = owner
    const approved = { project_id, level: 'number_documents', status: 'approved' } as const
    await projects.setVerification(fixture.runtime.db, approved)
    await putCompany(owner, { ...businessDetails, kvk_number: '87654321' })
    for (const level of ['company', 'number_documents'])
      assert.equal((await owner.levelOf(level)).status, 'not_started', level)
    await submit(owner, 'company')
    assert.equal((await settled(owner)).status, 'approved')
  })

  test('is not asked before payment and phone are confirmed', async () => {
    const owner = await newOwner()
    const early = await submit(owner, 'company')
    assert.deepEqual(slugOf(early), [422, 'company_details_missing'])
    await putCompany(owner, businessDetails)
    const refused = await submit(owner, 'company')
    assert.deepEqual(slugOf(refused), [403, 'verification_required'])
    assert.deepEqual(refused.body.missing, [
      'payment_mandate',
      'payment_authentication',
      'phone_verification',
    ])
  })
})

test('the queue does not exist for people who are not operators', async () => {
  const owner = await newOwner()
  assert.equal((await owner.session.call('GET /operator/verifications')).status, 404)
})

/** The requests that count the statements of verification. */
import { setVerification } from '../../server/areas/projects/service.ts'
import { listRecords } from '../../server/kernel/simulator-records.ts'
import { madeBy } from '../fixtures/path-ids.ts'
import { put } from '../fixtures/media/media.ts'
import { pdf } from '../fixtures/verification/pdf.ts'
import { peopleScenario, type Owner } from './people.ts'
import type { Scenario } from './scenario.ts'

async function uploadDocument({ place, session, project }: Owner, kind: string): Promise<string> {
  const file = { kind, filename: 'scan.pdf', bytes: pdf.length }
  const link = await madeBy(session, `POST ${project}/verification/documents`, file)
  const url = place.runtime.url + new URL(link.url).pathname
  await put({ url, method: 'PUT', headers: {} }, pdf)
  return link.id
}

/** Gives the evidence of the level full, whose company is approved. */
async function prepareFull(owner: Owner): Promise<void> {
  const { place, project_id, session, project } = owner
  const level = { project_id, level: 'company', status: 'approved' } as const
  await setVerification(place.runtime.runtime.db, level)
  await uploadDocument(owner, 'director_identity')
  const director = { name: 'Anna de Vries', birth_date: '1984-05-17' }
  const declaration = { director, owners: [], signature: director.name }
  await madeBy(session, `PUT ${project}/verification/declaration`, declaration)
}

/** Asks for a code, and returns what the simulated carrier sent. */
async function askForCode({ place, session, project }: Owner) {
  const phone = `+3161${String(place.runtime.clock.now_ms()).slice(-7)}`
  const wanted = { phone, channel: 'sms' }
  const { id } = await madeBy(session, `POST ${project}/verification/phone`, wanted)
  const records = await listRecords(place.runtime.runtime, 'telnyx codes')
  return { id, code: Object(records.at(-1)?.record).code }
}

async function isInReview({ session, project }: Owner): Promise<boolean> {
  const { levels } = await madeBy(session, `GET ${project}/verification`)
  return levels.find((one: any) => one.level === 'full').status === 'pending'
}

export const verification: Readonly<Record<string, Scenario>> = {
  'verification.confirm_phone': peopleScenario(async (owner) => ({
    route: `POST ${owner.project}/verification/phone/confirm`,
    body: await askForCode(owner),
  })),
  'verification.remove_document': peopleScenario(async (owner) => ({
    route: `DELETE ${owner.project}/verification/documents/${await uploadDocument(owner, 'identity')}`,
  })),
  'verification.submit': peopleScenario(async (owner) => {
    const full = `${owner.project}/verification/levels/full`
    if (await isInReview(owner)) await madeBy(owner.session, `POST ${full}/withdraw`)
    await prepareFull(owner)
    return { route: `POST ${full}/submit` }
  }),
  'verification.withdraw': peopleScenario(async (owner) => {
    const full = `${owner.project}/verification/levels/full`
    if (!(await isInReview(owner))) {
      await prepareFull(owner)
      await madeBy(owner.session, `POST ${full}/submit`)
    }
    return { route: `POST ${full}/withdraw` }
  }),
}

/** Ground for tests of live numbers: projects that have everything an order needs, or nothing. */
import { randomUUID } from 'node:crypto'
import type { Answer, TestHouse } from './house.ts'
import { microFromEuro } from '../../server/kernel/money.ts'
import * as billing from '../../server/areas/billing/service.ts'
import * as projects from '../../server/areas/projects/service.ts'

export interface LiveProject {
  project_id: string
  key: string
}

export const business = {
  account_type: 'business',
  company_name: 'Bakkerij De Molen',
  kvk_number: '12345678',
  address: {
    street: 'Molenweg',
    house_number: '12',
    postal_code: '1011 AB',
    city: 'Amsterdam',
    country: 'NL',
  },
  contact: { name: 'Anna de Vries', phone: '+31612345678' },
}

export const person = {
  account_type: 'personal',
  address: business.address,
  contact: business.contact,
}

export const slug = ({ body }: Answer): string => String(body.type).split('/').at(-1) ?? ''

let orders = 0

/** Verbs on a house, so that a test says what it does and not how. */
export function liveGround(house: TestHouse) {
  const { db } = house.house
  const change = (project_id: string, changes: projects.ProjectChanges) =>
    projects.change(db, project_id, changes)
  const topUp = (project_id: string, euro: number) =>
    db.transact((tx) =>
      billing.topUp(tx, house.house, {
        project_id,
        amount_micro: microFromEuro(euro),
        source: 'payment',
        description: 'Top-up',
        reference: randomUUID(),
      }),
    )
  const verify = (project_id: string, level: projects.CheckedLevel) =>
    projects.setVerification(db, { project_id, level, status: 'approved' })
  const saveCompany = (key: string, body: object = business) =>
    house.call('PUT /project/company', { key, body })

  /** A single project whose phone is live, with a live key, and nothing that an order needs. */
  async function bareProject(): Promise<LiveProject> {
    const { project_id } = await house.newProject()
    await projects.setRail(db, { project_id, rail: 'phone', mode: 'live' })
    return { project_id, key: await house.newKey({ project_id, mode: 'live' }) }
  }

  /** The same with all that a national number needs. */
  async function readyProject({ euro = 100, cap = 500 } = {}): Promise<LiveProject> {
    const live = await bareProject()
    const { project_id, key } = live
    await saveCompany(key)
    const spending_limit_micro = microFromEuro(cap)
    await change(project_id, { spending_limit_micro, card: true, phone_verified: true })
    await verify(project_id, 'company')
    if (euro > 0) await topUp(project_id, euro)
    return live
  }

  const order = (key: string, body: object = {}, idempotency_key = `live-${++orders}`) =>
    house.call('POST /numbers', { key, body, headers: { 'idempotency-key': idempotency_key } })

  const listed = async (key: string) => (await house.call('GET /numbers', { key })).body.data

  /** The balance with the transactions that are charges, oldest first. */
  async function books(key: string) {
    const { body } = await house.call('GET /balance', { key })
    const amounts: number[] = body.transactions
      .map(({ amount_eur }: { amount_eur: number }) => amount_eur)
      .toReversed()
    return { balance: body.balance_eur, spent: body.spent_this_month_eur, amounts }
  }

  return { change, topUp, verify, saveCompany, bareProject, readyProject, order, listed, books }
}

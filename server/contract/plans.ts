/**
 * The plans and their contents. The specification defines Free, the numbers of collections up to
 * Business, that Free has no live numbers and payments, and which plans have a dedicated sending
 * IP. The other numbers are design decisions: they grow from plan to plan and fit one machine.
 */
import { limits } from './limits.ts'

export interface PlanEntry {
  readonly title: string
  /** The same on every plan, because the limit on sites is per project. */
  readonly sites_max: number
  readonly collections_max: number
  readonly data_bytes_max: number
  readonly files_bytes_max: number
  readonly team_members_max: number
  /** All modules of one app together. */
  readonly app_bytes_max: number
  /** Without live numbers, phone numbers work in test mode only. */
  readonly live_numbers: boolean
  /** Without live payments, payments work in test mode only. */
  readonly live_payments: boolean
  readonly dedicated_sending_ip: boolean
}

const MB = 1_048_576
const GB = 1_024 * MB

const table = {
  free: {
    title: 'Free',
    sites_max: limits.sites_max,
    collections_max: 20,
    data_bytes_max: 10 * MB,
    files_bytes_max: 100 * MB,
    team_members_max: 1,
    app_bytes_max: 1 * MB, // Not defined by the specification.
    live_numbers: false,
    live_payments: false,
    dedicated_sending_ip: false,
  },
  online: {
    title: 'Online',
    sites_max: limits.sites_max,
    collections_max: 50,
    data_bytes_max: 1 * GB, // This and the next three are not defined by the specification.
    files_bytes_max: 10 * GB,
    team_members_max: 3,
    app_bytes_max: 3 * MB,
    live_numbers: true,
    live_payments: true,
    dedicated_sending_ip: false,
  },
  reachable: {
    title: 'Reachable',
    sites_max: limits.sites_max,
    collections_max: 100,
    data_bytes_max: 5 * GB, // This and the next three are not defined by the specification.
    files_bytes_max: 50 * GB,
    team_members_max: 10,
    app_bytes_max: 5 * MB,
    live_numbers: true,
    live_payments: true,
    dedicated_sending_ip: false,
  },
  business: {
    title: 'Business',
    sites_max: limits.sites_max,
    collections_max: 200,
    data_bytes_max: 20 * GB, // This and the next three are not defined by the specification.
    files_bytes_max: 200 * GB,
    team_members_max: 50,
    app_bytes_max: 10 * MB,
    live_numbers: true,
    live_payments: true,
    dedicated_sending_ip: true,
  },
  enterprise: {
    title: 'Enterprise',
    sites_max: limits.sites_max,
    collections_max: 500, // This and the next four are not defined by the specification.
    data_bytes_max: 100 * GB,
    files_bytes_max: 1_024 * GB,
    team_members_max: 500,
    app_bytes_max: 12 * MB,
    live_numbers: true,
    live_payments: true,
    dedicated_sending_ip: true,
  },
} as const satisfies Record<string, PlanEntry>

export type Plan = keyof typeof table

/** Every plan, from the smallest to the largest. */
export const plans: Readonly<Record<Plan, PlanEntry>> = table

/** The names of the plans, from the smallest to the largest. */
export const planNames: readonly Plan[] = Object.keys(table).filter(isPlan)

/** Whether the first plan is larger than the second. */
export function isLargerPlan(plan: Plan, than: Plan): boolean {
  return planNames.indexOf(plan) > planNames.indexOf(than)
}

export function isPlan(word: string): word is Plan {
  return Object.hasOwn(table, word)
}

/** Commands for the balance: top-ups by the operator and automatic top-ups. */
import * as billing from '../../areas/billing/service.ts'
import * as projects from '../../areas/projects/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { euroFromMicro, type MicroEuro } from '../../kernel/values/money.ts'
import { runtimeCommand } from '../command.ts'
import { choice, euro, id, optional, required, type OptionParser } from '../option-parsers.ts'
import { findProject, modeOf } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { formatFields } from '../output.ts'

export const topUp = runtimeCommand({
  name: 'balance top-up',
  about: 'Adds to the balance of a project, or to that of the live project of its pair.',
  options: {
    project: required(id, 'The project.'),
    'amount-eur': required(euro({ zero: false }), 'The amount, such as 25 or 0.5.'),
  },
  async run({ project: asked_id, 'amount-eur': amount_micro }, runtime) {
    const { asked, project_id } = await findPayer(runtime, asked_id)
    await runtime.db.transact((tx) =>
      billing.topUp(tx, runtime, {
        project_id,
        amount_micro,
        source: 'payment',
        description: 'Top-up by the operator',
        reference: `operator:${newId(runtime.clock)}`,
      }),
    )
    const test = modeOf(asked) === 'test'
    const balance = await billing.readBalance(runtime.db, runtime, { project_id, test })
    const { balance_eur, currency, spent_this_month_eur, spend_cap_eur } = balance
    return {
      json: balance,
      text: formatFields({
        project_id,
        balance_eur,
        currency,
        spent_this_month_eur,
        spend_cap_eur,
      }),
    }
  },
})

const bounds = billing.autoReloadBounds
const MICRO_PER_CENT = 10_000n

/** An amount between min and max; `step_micro` is its granularity. */
function amountOf(
  { min, max }: { min: MicroEuro; max: MicroEuro },
  step_micro: MicroEuro,
): OptionParser<MicroEuro> {
  const amount = euro({ zero: true })
  const how = step_micro === MICRO_PER_CENT ? ' in whole cents' : ''
  return {
    value: amount.value,
    read(text) {
      const micro = amount.read(text)
      if (micro >= min && micro <= max && micro % step_micro === 0n) return micro
      const range = `from ${euroFromMicro(min)} to ${euroFromMicro(max)} euro`
      throw new CommandError(`must be ${range}${how}, not ${JSON.stringify(text)}.`)
    },
  }
}

function wholeNumber({ min, max }: { min: number; max: number }): OptionParser<number> {
  return {
    value: 'N',
    read(text) {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN
      if (number >= min && number <= max) return number
      throw new CommandError(
        `must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`,
      )
    },
  }
}

const NAME_CHARACTERS_MAX = 200

/** A Stripe id: a prefix and word characters. */
function stripeName(prefix: string, word?: string): OptionParser<string> {
  const pattern = new RegExp(`^${prefix}_\\w{1,${NAME_CHARACTERS_MAX}}$`)
  const forms = word === undefined ? `${prefix}_…` : `${prefix}_… or ${word}`
  return {
    value: forms.replace(' or ', '|'),
    read(text) {
      if (text === word || pattern.test(text)) return text
      throw new CommandError(`must be ${forms}, not ${JSON.stringify(text.slice(0, 60))}.`)
    },
  }
}

export const autoReload = runtimeCommand({
  name: 'balance auto-reload',
  about: 'Shows the settings of automatic top-up, and changes the given ones.',
  options: {
    project: required(id, 'The project; for a pair, its live project is used.'),
    enabled: optional(choice('yes', 'no'), 'yes also turns it on again after a failure.'),
    'threshold-eur': optional(
      amountOf(bounds.threshold_micro, 1n),
      'The balance below which it tops up.',
    ),
    'amount-eur': optional(
      amountOf(bounds.amount_micro, MICRO_PER_CENT),
      'The amount of each top-up.',
    ),
    'max-per-month': optional(
      wholeNumber(bounds.max_per_month),
      'The maximum number in a calendar month.',
    ),
    card: optional(stripeName('pm', 'none'), 'The id of the saved card; none removes it.'),
    customer: optional(stripeName('cus'), 'The customer id of the card.'),
  },
  check({ card, customer }) {
    if (customer !== undefined && (card === undefined || card === 'none')) {
      throw new CommandError('--customer belongs to a card: give it with --card pm_….')
    }
  },
  async run({ project: asked_id, card, customer = null, ...given }, runtime) {
    const { asked, project_id } = await findPayer(runtime, asked_id)
    const changes = {
      project_id,
      enabled: given.enabled,
      threshold_micro: given['threshold-eur'],
      amount_micro: given['amount-eur'],
      max_per_month: given['max-per-month'],
      card: card === undefined ? undefined : cardOf(card, customer),
    }
    await runtime.db.transact((tx) => billing.setAutoReload(tx, runtime, changes))
    const test = modeOf(asked) === 'test'
    const { auto_reload } = await billing.readBalance(runtime.db, runtime, { project_id, test })
    const { card: shown, ...settings } = auto_reload
    const described = shown === null ? null : `${shown.brand} ${shown.last4}, ${shown.expiry}`
    return { json: auto_reload, text: formatFields({ project_id, ...settings, card: described }) }
  },
})

function cardOf(name: string, customer: string | null) {
  return name === 'none' ? null : { payment_method: name, customer }
}

/** Returns the named project, and the id of the project whose balance it uses. */
async function findPayer(runtime: Runtime, asked_id: string) {
  const asked = await findProject(runtime.db, asked_id)
  const project_id = projects.findPayingProject(asked)
  await findProject(runtime.db, project_id)
  return { asked, project_id }
}

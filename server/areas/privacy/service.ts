/** The rules of retention: how long a project keeps its personal data. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Loss } from '../../contract/operation.ts'
import { personalDataKinds } from '../../contract/personal-data.ts'
import { mayChangeTestOnly } from '../../contract/problems/mode-mismatch.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { listRecipients } from './recipients.ts'
import type { Retention, RetentionInput } from './schema.ts'
import * as store from './store.ts'

export { setPersonalDataOfAreas } from './of-areas.ts'
export { openLink as openPersonExport } from './person/export.ts'

/** The days of each kind under these choices. */
export function daysByKind(choices: readonly store.Choice[]): Map<string, number | null> {
  const chosen = new Map(choices.map(({ kind, days }) => [kind, days]))
  return new Map(
    personalDataKinds.map(({ kind, days, chosen: may_choose }) => {
      const own = may_choose ? chosen.get(kind) : undefined
      return [kind, own === undefined ? days : own]
    }),
  )
}

export async function show({ db, project, runtime }: Caller): Promise<Retention> {
  return present(runtime, await store.listChoices(db, project.id))
}

export async function replace(caller: Caller, input: RetentionInput): Promise<Retention> {
  const { db, project, runtime } = caller
  const choices = choicesOf(input)
  if (mayChangeTestOnly(caller) && project.company_status === 'approved')
    requireLonger(await store.listChoices(db, project.id), choices)
  const now = runtime.clock.now()
  await db.transact((tx) => store.replaceChoices(tx, { project_id: project.id, choices, now }))
  return present(runtime, choices)
}

/** Shorter times delete live records too. */
function requireLonger(before: readonly store.Choice[], after: readonly store.Choice[]): void {
  if (listShorter(daysByKind(before), daysByKind(after)).length === 0) return
  const detail = 'Shorter times would delete live records, and a test key changes no live records.'
  throw new Problem('key_mode_mismatch', detail)
}

function listShorter(now: ReturnType<typeof daysByKind>, next: ReturnType<typeof daysByKind>) {
  return personalDataKinds.filter(({ kind }) => {
    return (next.get(kind) ?? Infinity) < (now.get(kind) ?? Infinity)
  })
}

/** Shorter times delete records that cannot be restored. */
export async function findLoss(
  { db, project }: Caller,
  input: RetentionInput,
): Promise<Loss | null> {
  const now = daysByKind(await store.listChoices(db, project.id))
  const next = daysByKind(choicesOf(input))
  const shorter = listShorter(now, next)
  if (shorter.length === 0) return null
  const parts = shorter.map(({ kind, title }) => `${title}: older than ${next.get(kind)} days`)
  return {
    about: `Deletes these records within an hour, permanently. ${parts.join('. ')}.`,
    instead: null,
  }
}

function choicesOf(input: RetentionInput): store.Choice[] {
  return Object.entries(input).flatMap(([kind, days]) =>
    days === undefined ? [] : [{ kind, days }],
  )
}

function present({ config }: Runtime, choices: readonly store.Choice[]): Retention {
  const days = daysByKind(choices)
  return {
    kinds: personalDataKinds.map(({ kind, title, about, days: default_days, days_max, chosen }) => {
      const chosen_days = days.get(kind) ?? null
      const facts = { default_days, days_max, chosen_by_project: chosen }
      return { kind, title, about, days: chosen_days, ...facts }
    }),
    recipients: listRecipients(config),
  }
}

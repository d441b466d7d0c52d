/** The declaration of the director and the beneficial owners, stored encrypted. */
import type { MemberCaller } from '../../../contract/people.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Declaration, VerificationDetail } from '../schema.ts'
import * as store from './document-store.ts'
import { lockProject, requireOpen } from './documents.ts'
import { updateEvidence } from './evidence.ts'

export const DECLARATION_PURPOSE = 'verification.declaration'
const AGE_YEARS_MIN = 18
const AGE_YEARS_MAX = 120
const PERCENT = 100

export async function saveDeclaration(
  { runtime, project }: MemberCaller,
  declaration: Declaration,
): Promise<void> {
  const now = runtime.clock.now()
  requireValid(declaration, now)
  await runtime.db.transact(async (tx) => {
    const locked = await lockProject(tx, project.id)
    requireOpen(locked, 'director_identity')
    await store.replaceDeclaration(tx, {
      project_id: project.id,
      round: locked.verification_round,
      sealed_content: runtime.seal.seal(JSON.stringify(declaration), DECLARATION_PURPOSE),
      created_at: now,
      delete_at: new Date(now.getTime() + limits.verification_unsent_kept_s * 1000),
      refused: false,
    })
    await updateEvidence(tx, locked)
  })
}

export function readDeclaration(
  { seal }: Pick<Runtime, 'seal'>,
  row: store.DeclarationRow,
): NonNullable<VerificationDetail['declaration']> {
  const { director, owners, signature } = JSON.parse(
    seal.open(row.sealed_content, DECLARATION_PURPOSE),
  )
  return { director, owners, signature, signed_at: row.created_at.toISOString() }
}

function requireValid({ director, owners, signature }: Declaration, now: Date): void {
  const errors = [
    ...dateFaults('/director/birth_date', director.birth_date, now),
    ...owners.flatMap(({ birth_date }, index) =>
      dateFaults(`/owners/${index}/birth_date`, birth_date, now),
    ),
  ]
  const total = owners.reduce((sum, { share_percent }) => sum + share_percent, 0)
  if (total > PERCENT) {
    errors.push({ path: '/owners', message: 'The shares are more than 100 percent together.' })
  }
  if (plain(signature) !== plain(director.name)) {
    errors.push({ path: '/signature', message: 'The signature must be the name of the director.' })
  }
  const [first] = errors
  if (!first) return
  throw new Problem('validation_failed', first.message, { errors, user_message: first.message })
}

function dateFaults(path: string, text: string, now: Date) {
  const date = new Date(`${text}T00:00:00.000Z`)
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
  if (!exists) return [{ path, message: 'This date does not exist.' }]
  const years = now.getUTCFullYear() - date.getUTCFullYear()
  const birthday = new Date(date)
  birthday.setUTCFullYear(now.getUTCFullYear())
  const age = birthday > now ? years - 1 : years
  if (age >= AGE_YEARS_MIN && age <= AGE_YEARS_MAX) return []
  return [
    { path, message: `The person must be ${AGE_YEARS_MIN} or older. Check the date of birth.` },
  ]
}

function plain(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase()
}

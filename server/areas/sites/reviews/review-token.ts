/**
 * URLs of appeals. A token is derived from an id with the master key, so that it can be issued
 * again although only its hash is stored. The token permits reading the review and appealing.
 */
import type { Runtime } from '../../../kernel/runtime.ts'

const PURPOSE = 'site-appeal'

interface Of {
  project_id: string
  id: string
}

/** Returns the token of a refused deploy, derived from its review. */
export function deriveRefusalToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`refused ${project_id} ${id}`, PURPOSE).toString('base64url')
}

/** Returns the token of a takedown: one per site, however often the site is taken offline. */
export function deriveOfflineToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`offline ${project_id} ${id}`, PURPOSE).toString('base64url')
}

export function toAppealUrl({ config }: Runtime, token: string): string {
  return `${config.public_url}/portal/appeals/${token}`
}

export function formatPlace({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}, line ${line}`
}

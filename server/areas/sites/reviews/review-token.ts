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

/** The token of a refused deploy, derived from its review. */
export function refusalToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`refused ${project_id} ${id}`, PURPOSE).toString('base64url')
}

/** The token of a takedown: one per site, however often the site is taken offline. */
export function offlineToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`offline ${project_id} ${id}`, PURPOSE).toString('base64url')
}

export function appealUrl({ config }: Runtime, token: string): string {
  return `${config.public_url}/portal/appeals/${token}`
}

export function placeOf({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}, line ${line}`
}

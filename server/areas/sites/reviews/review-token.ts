/**
 * The addresses of appeals. Their tokens are made from ids under the master key, so that a token
 * can be told again although only its hash is kept; whoever has one may read and object.
 */
import type { Runtime } from '../../../kernel/runtime.ts'

const PURPOSE = 'site-appeal'

interface Of {
  project_id: string
  id: string
}

/** Of a deploy that was refused, by its review. */
export function refusalToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`refused ${project_id} ${id}`, PURPOSE).toString('base64url')
}

/** Of a site taken offline: one for a site, however often that happens. */
export function offlineToken({ seal }: Runtime, { project_id, id }: Of): string {
  return seal.mac(`offline ${project_id} ${id}`, PURPOSE).toString('base64url')
}

export function appealUrl({ config }: Runtime, token: string): string {
  return `${config.public_url}/portal/appeals/${token}`
}

export function placeOf({ path, line }: { path: string; line: number | null }): string {
  return line === null ? path : `${path}, line ${line}`
}

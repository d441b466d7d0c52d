/** What to do about a source that could not be read. */
import type { Source } from './queries.ts'

export type Advice =
  | 'advice_robots'
  | 'advice_gone'
  | 'advice_login'
  | 'advice_busy'
  | 'advice_site'
  | 'advice_file'
  | 'advice_full'
  | 'advice_check'

const ofWebsites: readonly [RegExp, Advice][] = [
  [/has no address|cannot be reached/, 'advice_check'],
  [/robots\.txt/, 'advice_robots'],
  [/status (?:404|410)/, 'advice_gone'],
  [/status (?:401|403)/, 'advice_login'],
  [/status (?:429|5\d\d)|too long|timed? ?out/, 'advice_busy'],
]

export function adviceFor({ kind, error }: Pick<Source, 'kind' | 'error'>): Advice | null {
  if (error === null) return null
  if (error.includes('left out')) return 'advice_full'
  if (kind === 'site') return 'advice_site'
  if (kind === 'media') return 'advice_file'
  return ofWebsites.find(([pattern]) => pattern.test(error))?.[1] ?? 'advice_check'
}

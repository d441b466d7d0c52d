/** Background job that indexes the website. */
import { Type } from 'typebox'
import { job } from '../../kernel/jobs/jobs.ts'
import { extractPagePassages } from './knowledge/passages.ts'
import * as store from './store.ts'
import { crawlWebsite } from './knowledge/website.ts'

const RETRY_AFTER_S = [60, 600, 3_600]

export const indexWebsite = job({
  name: 'assistant.read_website',
  payload: Type.Object({}),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, project_id, attempt, finish }) {
    const found = project_id === null ? null : await store.find(runtime.db, project_id)
    const address = found?.profile.website_url ?? null
    if (project_id === null || found === null || address === null) return finish()
    const pages = await crawlWebsite(
      runtime.outbound,
      crawlAddress(address, runtime.config.egress_allow_private),
    ).catch((error: unknown) => {
      // An unreachable website is the owner's problem, so it is a warning and not a failed job.
      if (attempt <= RETRY_AFTER_S.length) throw error
      runtime.log.warn({ err: error, project_id }, 'a website could not be read')
      return null
    })
    if (pages === null) return finish()
    const passages = extractPagePassages(pages, found.profile.languages)
    await finish(async (tx) => {
      // If the address was changed meanwhile, the job of that change indexes the new website.
      if ((await store.lockWebsite(tx, project_id)) !== address) return
      await store.replacePassages(tx, { project_id, source: 'website', passages })
    })
  },
})

/** Replaces http by https. `plain` keeps http, for development. */
export function crawlAddress(address: string, plain: boolean): string {
  const url = URL.parse(address)
  if (url === null || plain || url.protocol !== 'http:') return address
  url.protocol = 'https:'
  return url.href
}

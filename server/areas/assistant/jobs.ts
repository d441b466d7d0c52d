/** The work of the assistant that is done after the reply: reading the website. */
import { Type } from 'typebox'
import { job } from '../../kernel/jobs/jobs.ts'
import { passagesOfPages } from './knowledge/passages.ts'
import * as store from './store.ts'
import { readWebsite as readPages } from './knowledge/website.ts'

const RETRY_AFTER_S = [60, 600, 3_600]

export const readWebsite = job({
  name: 'assistant.read_website',
  payload: Type.Object({}),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, project_id, attempt, finish }) {
    const found = project_id === null ? null : await store.find(runtime.db, project_id)
    const address = found?.profile.website_url ?? null
    if (project_id === null || found === null || address === null) return finish()
    const pages = await readPages(
      runtime.outbound,
      addressToRead(address, runtime.config.egress_allow_private),
    ).catch((error: unknown) => {
      // A website that stays away is its owner's matter, not a fault to be looked at here.
      if (attempt <= RETRY_AFTER_S.length) throw error
      runtime.log.warn({ err: error, project_id }, 'a website could not be read')
      return null
    })
    if (pages === null) return finish()
    const passages = passagesOfPages(pages, found.profile.languages)
    await finish(async (tx) => {
      // Meanwhile another address may have been set; the job that it wrote reads that one.
      if ((await store.lockWebsite(tx, project_id)) !== address) return
      await store.replacePassages(tx, { project_id, source: 'website', passages })
    })
  },
})

/** Plain http is for development: a website of today answers to https as well. */
export function addressToRead(address: string, plain: boolean): string {
  const url = URL.parse(address)
  if (url === null || plain || url.protocol !== 'http:') return address
  url.protocol = 'https:'
  return url.href
}

/** The operation of page views. */
import { operation } from '../../contract/operation.ts'
import { SiteId, Visits, VisitsQuery } from './schema.ts'
import * as visits from './service.ts'

export const show = operation({
  name: 'sites.visits',
  route: 'GET /sites/{id}/visits',
  about:
    'Page views of a site: in total and per day, by page, and by the site with the link that was ' +
    'followed. Counted without cookies, without addresses of visitors and without bots.',
  keywords:
    'visitors, analytics, statistics, traffic, how many people looked, website, page views, ' +
    'hits, popular pages, referrers, most come from',
  scope: 'sites:read',
  reach: 'selection',
  effect: 'read',
  params: SiteId,
  query: VisitsQuery,
  status: 200,
  reply: Visits,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => visits.show(caller, params.id, query),
})

/** The operations that list and aggregate documents. */
import { limits } from '../../../contract/limits.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import { operation, type BriefReply } from '../../../contract/operation.ts'
import { findCollection } from '../collections/collections.ts'
import { readGroups } from '../query/group/group.ts'
import { readDocumentPage } from '../query/page.ts'
import { DocumentList, DocumentsQuery, QueryInput, QueryReply } from '../query/schema.ts'
import { CollectionParams, ownSources } from '../schema.ts'
import { showListed, showPage } from '../documents/show.ts'

export const list = operation({
  name: 'documents.list',
  route: 'GET /collections/{name}/documents',
  about:
    'Lists the documents of a collection, filtered, searched and sorted. Default ' +
    'order: newest first, by id.',
  keywords:
    'records, rows, entries, submissions, form filled in, filter, sort, find, search, ' +
    'paginate, bookings today, orders, open jobs, who paid, who owes, unread, sent in, came ' +
    'in, contact page, where field equals, show all customers, who signed up, clients from, ' +
    'tomorrow, look up, not been here for, who wanted',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  query: DocumentsQuery,
  status: 200,
  reply: DocumentList,
  brief: briefList,
  errors: ['not_found', 'invalid_parameter'],
  async run({ params, query }, caller) {
    const { runtime, db, entry_point } = caller
    const { row: collection } = await findCollection(caller, params.name)
    const page = await readDocumentPage({
      runtime,
      db,
      collection,
      asked: query,
      show: showListed(params.name),
      warns: true,
      bytes_max: entry_point === 'mcp' ? limits.mcp_page_bytes_max : limits.page_bytes_max,
    })
    return showPage(page)
  },
})

export const query = operation({
  name: 'documents.query',
  route: 'POST /collections/{name}/documents/query',
  about:
    'Counts and aggregates documents in groups: by field values, or by hour, day, ' +
    'week, month or year of a time.',
  keywords:
    'count, sum, total, aggregate, group by, how many orders, members, bookings per month, ' +
    'average, statistics, report, billed, best seller, busiest, turnover, how many people, ' +
    'revenue, amount',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  body: QueryInput,
  status: 200,
  reply: QueryReply,
  errors: ['not_found', 'invalid_parameter', 'validation_failed'],
  async run({ params, body }, caller) {
    const { runtime, db } = caller
    const { row } = await findCollection(caller, params.name)
    return readGroups({ runtime, db, collection: row, input: body })
  },
})

/** Rows without what the request or the row itself says already; in one fence if outsiders wrote any. */
function briefList({ data, warnings, ...page }: JsonRecord): BriefReply {
  const documents: JsonRecord[] = Array.isArray(data) ? data : []
  const rows = documents.map((row) => {
    const is_unchanged = row['updated_at'] === row['created_at']
    const left_out = ['collection', 'test', ...(is_unchanged ? ['updated_at'] : [])]
    return Object.fromEntries(Object.entries(row).filter(([name]) => !left_out.includes(name)))
  })
  const are_ours = documents.every(({ source }) => ownSources.includes(String(source)))
  const has_warnings = Array.isArray(warnings) && warnings.length > 0
  return {
    reply: { ...(are_ours && { data: rows }), ...page },
    outsiders: {
      ...(!are_ours && { data: JSON.stringify(rows) }),
      // They may propose a field, whose name a visitor may have chosen.
      ...(has_warnings && { warnings: JSON.stringify(warnings) }),
    },
  }
}

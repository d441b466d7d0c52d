/** Finds and erases the documents about one person. */
import { createMatcher } from '../../contract/person/match.ts'
import type { PersonalRecords, PersonRecord } from '../../contract/person/person.ts'
import { scanPages } from '../../contract/person/scan.ts'
import { writeChanges } from './documents/write/write.ts'
import { authorOf } from './history/author.ts'
import * as store from './person-store.ts'

export const documentsOfPerson: PersonalRecords = {
  kinds: ['documents'],
  scopes: { read: 'data:read', write: 'data:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: store.CandidateDocument | null) =>
        store.readDocuments(db, { search, matcher, after }),
      toRecord(row): PersonRecord | null {
        const match = row.is_related ? 'own' : matcher.matchValue(row.data)
        if (match === null) return null
        const { id, collection_id, collection, created_at, data } = row
        return { id, path: [collection_id], match, created_at, collection, data: Object(data) }
      },
    })
  },
  async erase(tx, caller, records) {
    const { runtime, project } = caller
    let erased = 0
    for (const [collection_id, ids] of store.groupByCollection(records)) {
      const place = { project_id: project.id, collection_id }
      // A collection that was deleted meanwhile has no documents.
      if (!(await store.isCollection(tx, place))) continue
      const changes = ids.map((id) => ({ op: 'delete', id, version: null }) as const)
      const results = await writeChanges(tx, runtime, { place, changes, author: authorOf(caller) })
      erased += results.filter((result) => 'deleted' in result).length
      await store.deleteVersionsOf(tx, { ...place, document_ids: ids })
    }
    return erased
  },
}

/** Versions from before a change or a deletion; those of erased documents are erased with them. */
export const versionsOfPerson: PersonalRecords = {
  kinds: ['document_versions'],
  scopes: { read: 'data:read', write: 'data:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: store.CandidateVersion | null) =>
        store.readVersions(db, { search, matcher, after }),
      toRecord(row): PersonRecord | null {
        const match = row.is_related ? 'own' : matcher.matchValue(row.data)
        if (match === null) return null
        const { id, collection_id, document_id, collection, written_at, data } = row
        const path = [collection_id, document_id]
        return { id, path, match, created_at: written_at, collection, data: Object(data) }
      },
    })
  },
  erase: (tx, { project }, records) => store.deleteVersions(tx, project.id, records),
}

/** Deletes entries of the request log for projects that keep them for less than the maximum. */
import type { Retention } from '../../contract/personal-data.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { deleteUpTo } from './store.ts'

export const retentions: readonly Retention[] = [
  {
    kind: 'request_log',
    deleteOld: (tx, { project_id, before, count }) =>
      deleteUpTo(tx, { project_id, last: firstIdAt(before.getTime()), count }),
  },
]

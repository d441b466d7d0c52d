/** The job that reads new files if no request does, or if its process died. */
import { Type } from 'typebox'
import { job } from '../../kernel/jobs/jobs.ts'
import * as projects from '../projects/service.ts'
import { failFile, processFile } from './intake/reading.ts'

const RETRY_AFTER_S = [60, 300, 1_800]

export const readLater = job({
  name: 'media.read',
  payload: Type.Object({ media_id: Type.String() }),
  retry_after_s: RETRY_AFTER_S,
  async run({ runtime, payload, project_id, attempt, finish }) {
    const project = project_id === null ? null : await projects.find(runtime.db, project_id)
    if (!project) return finish()
    const key = { project_id: project.id, id: payload.media_id }
    try {
      await processFile(runtime, project, key.id)
    } catch (error) {
      if (attempt <= RETRY_AFTER_S.length) throw error
      runtime.log.error({ err: error, media_id: key.id }, 'a file could not be read')
      return finish((tx) => failFile(tx, runtime, key))
    }
    await finish()
  },
})

/** The only event of this area: the test that a client requests. */
import { Type } from 'typebox'
import { event } from '../../contract/events.ts'

export const webhookTest = event({
  type: 'webhook.test',
  data: Type.Object({
    endpoint_id: Type.String({ format: 'uuid', description: 'The endpoint that is tested.' }),
  }),
  async load(_db, _project_id, { endpoint_id }: { endpoint_id: string }) {
    return { endpoint_id }
  },
})

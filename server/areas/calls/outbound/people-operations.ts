/** The operation of outbound calls for people only: the preview of a call. */
import { peopleOperation } from '../../../contract/people.ts'
import { previewCall } from './preview.ts'
import { CallPreview, CallPreviewInput } from './preview-schema.ts'

export const preview = peopleOperation({
  name: 'calls.preview',
  route: 'POST /projects/{project_id}/calls/preview/query',
  about:
    'What the assistant would say first in a call to a person, what the call would cost, and why ' +
    'it would be refused. Nobody is called.',
  keywords: 'price of a call, script, first words, cost of calling',
  access: 'viewer',
  effect: 'read',
  body: CallPreviewInput,
  status: 200,
  reply: CallPreview,
  errors: [],
  run: ({ body }, caller) => previewCall(caller, body),
})

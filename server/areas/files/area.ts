/** Files: content-addressed bytes, shared by sites and media. */
import { defineArea } from '../../contract/area.ts'
import { sweepFiles } from './sweep.ts'

export const files = defineArea({
  name: 'files',
  reconcilers: [sweepFiles],
  exported: [{ table: 'files' }, { table: 'file_usage' }],
})

/** Public tokens, which web pages send instead of an API key. */
import { defineArea } from '../../contract/area.ts'
import * as operations from './operations.ts'

export const publicTokens = defineArea({
  name: 'public-tokens',
  operations: [operations],
  exported: [{ table: 'public_tokens' }],
})

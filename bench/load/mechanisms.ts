/**
 * `npm run bench -- mechanisms --against FOLDER --label TEXT`: compares this checkout with one
 * without an optimization, by the mix of 2,000 projects, and stores the result as a row.
 */
import { readOptions } from '../support/options.ts'

const { against, label } = readOptions()
if (against === '' || label === '') throw new Error('--against and --label are required.')
await import('./mix.ts')

/** The public functions of the data area for other areas. */
export { listFormTargets } from './store.ts'

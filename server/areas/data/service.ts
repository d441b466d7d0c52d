/** The door of the data area: what other areas may ask of it. */
export { listFormTargets } from './store.ts'

/** The JavaScript build of the checker; the index of recheck runs a native program per platform. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'

  const recheck: { checkSync: typeof checkSync }
  export default recheck
}

/** The checker as plain JavaScript; the index of recheck runs programs of its own for each platform. */
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck'

  const recheck: { checkSync: typeof checkSync }
  export default recheck
}

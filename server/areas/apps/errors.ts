/** Errors of apps. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'

export const errors = {
  app_too_large: {
    status: 413,
    about: 'The modules of the app are together larger than the plan allows.',
    user: 'The app is too large for the current plan.',
    next:
      'Leave out packages that are not needed and move pictures and other files to the ' +
      'media library, then deploy again. The owner can also choose a larger plan in ' +
      'the portal under Billing, at Plan.',
  },
  app_blocked: {
    status: 422,
    about: 'The check before publication stopped the deploy of the app.',
    user: 'The app did not pass the safety check, so it was not published.',
    next:
      'Remove from the code what detail names and deploy again. If it was a mistake, the owner ' +
      'can ask support to look at it.',
  },
  migration_failed: {
    status: 422,
    about:
      "The migration reached the app's database and was refused there. The detail carries the " +
      'reason.',
    user: 'The database of the app did not accept this change.',
    next: 'Correct the statement that detail names and send the migration again.',
  },
  query_failed: {
    status: 422,
    about:
      "The read-only query reached the app's database and was refused there. The detail " +
      'carries the reason.',
    user: 'The database of the app could not answer this question.',
    next:
      'Correct the query as detail says and send it again. It may only read; changes belong ' +
      'in a migration.',
  },
} as const satisfies Record<string, ErrorEntry>

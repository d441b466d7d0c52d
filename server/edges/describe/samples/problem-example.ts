/** An example body for every error, built by the same function as real ones. */
import { errorCatalogue, type ErrorSlug } from '../../../contract/error-catalogue.ts'
import {
  Problem,
  problemDocument,
  type ProblemDocument,
  type ProblemExtra,
} from '../../../contract/errors.ts'
import { responseHeaders } from '../headers.ts'
import { takeFirstSentence } from '../words.ts'

/** Additional members of some errors. */
const extras: Partial<Record<ErrorSlug, ProblemExtra>> = {
  validation_failed: {
    errors: [
      { path: '/name', message: 'is required' },
      { path: '/opening_hours', message: 'is not a field of this request' },
    ],
  },
  company_details_missing: { missing: ['company_name', 'address.country'] },
  verification_required: { missing: ['phone_verification'] },
  version_conflict: { current_version: 4 },
}

export function createProblemExample(
  slug: ErrorSlug,
  { status, docs_url }: { status: number; docs_url: string },
): ProblemDocument {
  const detail = `${takeFirstSentence(errorCatalogue[slug].about)}.`
  const problem = new Problem(slug, detail, { status, ...extras[slug] })
  return problemDocument(problem, { request_id: responseHeaders.request_id.example, docs_url })
}

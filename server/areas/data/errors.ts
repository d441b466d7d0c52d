/** Error catalogue entries of the data area. */
import type { ErrorEntry } from '../../contract/catalogue/entries/error-entry.ts'
import { limits } from '../../contract/limits.ts'
import { planNames, plans } from '../../contract/plans.ts'
import { formatSize } from '../../kernel/values/size.ts'

const collectionsByPlan = planNames
  .map((plan) => `${plans[plan].collections_max} on ${plans[plan].title}`)
  .join(', ')

const askForCollection =
  'Use a collection from GET /collections, ask the user which one can be deleted, or ask the owner ' +
  'to choose a larger plan in the portal under Billing, at Plan; plan_url is the address of that ' +
  'page.'

export const errors = {
  challenge_failed: {
    status: 403,
    about:
      'The human-verification check failed, had expired, or was missing when the widget ' +
      'started a conversation or a page sent a form; or the form was sent faster than a person ' +
      'fills it in.',
    user: 'Please confirm once more that you are a person.',
    next: {
      rest:
        'Run the human-verification check on the page again and start the conversation, or ' +
        'send the form, with its new result (GET /public/collections/{name}/challenge).',
      mcp:
        'Only a page in the browser of a visitor can pass this check. Let the visitor try ' +
        'again there.',
    },
  },
  collection_limit_reached: {
    status: 422,
    about: `The project has as many collections as its plan allows: ${collectionsByPlan}.`,
    user: 'This project already has as many collections of data as its plan allows.',
    next: {
      rest: askForCollection,
      mcp: askForCollection,
      portal: 'Delete a collection, or choose a larger plan under Billing, at Plan.',
    },
  },
  collection_name_taken: {
    status: 409,
    about: 'A collection of the project already has this name.',
    user: 'There is already a collection of data with this name.',
    next: 'Look in GET /collections: use the collection that has the name, or choose another name.',
  },
  document_limit_reached: {
    status: 422,
    about:
      `The collection already holds its maximum of ${limits.documents_per_collection_max} ` +
      'documents.',
    user: 'This collection of data is full.',
    next:
      'Ask the user whether old documents can be deleted, or make another collection for the ' +
      'new ones.',
  },
  document_too_large: {
    status: 422,
    about:
      `The document is larger than ${formatSize(limits.document_bytes_max)}, written as UTF-8 ` +
      `JSON, or than ${formatSize(limits.document_expanded_bytes_max)} with all its very large and ` +
      'very small numbers written without exponents.',
    user: 'There is too much in this entry to be saved.',
    next:
      'Shorten the document or split it into several. Files belong in the media library, with ' +
      'only their id in the document.',
  },
  schema_mismatch: {
    status: 422,
    about:
      'The document does not match the JSON Schema of its collection, or another document has ' +
      'its value of a unique field. The member errors lists the places.',
    user: 'Some of what was filled in does not fit here.',
    next:
      "Compare the document with the collection's JSON Schema in GET /collections, correct " +
      'what errors or detail names, and send it again.',
  },
  collection_not_public: {
    status: 403,
    about: 'A website wrote to or read from a collection that does not allow it.',
    user: 'This page may not save or show this information.',
    next:
      'If visitors should be able to do this, ask the owner and then allow it in the settings ' +
      'of the collection. Do not open a collection that holds private data.',
  },
} as const satisfies Record<string, ErrorEntry>

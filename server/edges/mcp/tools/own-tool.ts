/** Listing and argument validation of the tools that are not operations. */
import type { createBodyValidator } from '../../http/validate.ts'
import { createInvalidBodyProblem } from '../../http/request.ts'
import { isRecord } from './record.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import { createToolListing, type Listing } from './tool.ts'

export interface OwnListing {
  title: string
  description: string
  inputSchema: object
  reads: boolean
}

/** Returns the listing of a tool that is not an operation. */
export function createListing(name: string, own: OwnListing): Listing {
  const { title, description, reads, inputSchema } = own
  const annotations = {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: reads,
    // Set because such a tool can run any operation and return text of outsiders.
    openWorldHint: true,
  }
  return createToolListing({ name, title, description, annotations }, { inputSchema })
}

/** Validates the arguments of a tool and returns those that are not null. Throws validation_failed with every fault. */
export function validateArguments(
  given: unknown,
  isWrong: ReturnType<typeof createBodyValidator>,
): JsonRecord {
  const value = isRecord(given)
    ? Object.fromEntries(Object.entries(given).filter(([, one]) => one !== null))
    : (given ?? {})
  const faults = isWrong(value)
  if (faults.length > 0 || !isRecord(value)) throw createInvalidBodyProblem(faults)
  return value
}

/** The refusal of a search that took longer than its limit. */
import { StatementTimeout } from '../../kernel/database/database.ts'
import { Problem } from '../errors.ts'

/** For `catch`: turns a timeout into a refusal, and throws any other error again. */
export function refuseSlowSearch(
  seconds: number,
  next_step: string,
  parameter = 'q',
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StatementTimeout)) throw error
    throw new Problem('invalid_parameter', `This search needs more than ${seconds} seconds.`, {
      cause: error,
      fields: { parameter },
      user_message: 'This search takes too long.',
      next_step,
    })
  }
}

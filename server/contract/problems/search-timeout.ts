/** The refusal of a search that took longer than its limit. */
import { StatementTimeout } from '../../kernel/database/database.ts'
import { Problem } from '../errors.ts'

const notFilters: readonly string[] = ['limit', 'cursor']
const texts: readonly string[] = ['q', 'search']

/**
 * For `catch`: turns a timeout into a refusal that names the searched text, else the first filter, else
 * `limit`, and throws any other error again. `next_step` is for searches and filters.
 */
export function refuseSlowSearch(seconds: number, next_step: string) {
  return (query: object) =>
    (error: unknown): never => {
      if (!(error instanceof StatementTimeout)) throw error
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined || notFilters.includes(name) ? [] : [name],
      )
      const parameter = given.find((name) => texts.includes(name)) ?? given[0]
      throw new Problem('invalid_parameter', `This search needs more than ${seconds} seconds.`, {
        cause: error,
        fields: { parameter: parameter ?? 'limit' },
        user_message: 'This search takes too long.',
        next_step: parameter === undefined ? 'Ask for fewer at once with limit.' : next_step,
      })
    }
}

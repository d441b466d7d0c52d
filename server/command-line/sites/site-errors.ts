/**
 * Translates Problems of site operations into one line: each error once, with the option or file
 * instead of a JSON Pointer.
 */
import { Problem } from '../../contract/errors.ts'
import { CommandError } from '../command-error.ts'

/** Runs `work` and converts its Problem to a CommandError; `names` maps API fields to options. */
export async function toCommandError<T>(
  names: Readonly<Record<string, string>>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof Problem ? refusalOf(error, names) : error
  }
}

function refusalOf(
  { slug, detail, extra }: Problem,
  names: Readonly<Record<string, string>>,
): CommandError {
  const errors = extra.errors ?? []
  const faults = errors.map((fault) => faultOf(fault, names))
  // A detail that repeats the errors is omitted.
  const said = errors.some(({ message }) => detail.includes(message)) ? [] : [detail]
  const appeal = extra.fields?.['appeal_url']
  const where = typeof appeal === 'string' ? [`If this is wrong, appeal at ${appeal}`] : []
  const verify =
    slug === 'phone_verification_required'
      ? ['Record a verified phone number with "projects set --project ID --phone-verified yes".']
      : []
  return new CommandError([...said, ...faults, ...verify, ...where].join(' '))
}

interface Fault {
  path: string
  message: string
}

/** A lower-case message continues after its field's name; others are sentences. */
function faultOf({ path, message }: Fault, names: Readonly<Record<string, string>>): string {
  const sentence = message.replace(/\.?$/, '.')
  if (/^[A-Z]/.test(message)) return sentence
  const place = Object.keys(names).find((one) => path === one || path.startsWith(`${one}/`))
  return `${place === undefined ? path : names[place]} ${sentence}`
}

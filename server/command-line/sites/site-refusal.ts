/**
 * What the service refuses about a site, in one line and in the words of the command line: every
 * fault once, with the option or the file it is about in place of a JSON Pointer.
 */
import { Problem } from '../../contract/errors.ts'
import { Refusal } from '../refusal.ts'

/** Does the work; `names` says what stands on the line for a field of the API. */
export async function orRefuse<T>(
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
): Refusal {
  const errors = extra.errors ?? []
  const faults = errors.map((fault) => faultOf(fault, names))
  // A detail that is made of the faults would say them twice.
  const said = errors.some(({ message }) => detail.includes(message)) ? [] : [detail]
  const appeal = extra.fields?.['appeal_url']
  const where = typeof appeal === 'string' ? [`If this is wrong, say so at ${appeal}`] : []
  const verify =
    slug === 'phone_verification_required'
      ? ['"projects set --project ID --phone-verified yes" says that the number was verified.']
      : []
  return new Refusal([...said, ...faults, ...verify, ...where].join(' '))
}

interface Fault {
  path: string
  message: string
}

/** A message goes on from the name of its field, or is a sentence of its own. */
function faultOf({ path, message }: Fault, names: Readonly<Record<string, string>>): string {
  const sentence = message.replace(/\.?$/, '.')
  if (/^[A-Z]/.test(message)) return sentence
  const place = Object.keys(names).find((one) => path === one || path.startsWith(`${one}/`))
  return `${place === undefined ? path : names[place]} ${sentence}`
}

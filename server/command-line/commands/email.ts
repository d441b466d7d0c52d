/** The command that tries whether email of projects leaves this server and arrives. */
import { parseAddress, sendTest } from '../../areas/email/service.ts'
import { CommandError } from '../command-error.ts'
import { runtimeCommand } from '../command.ts'
import { id, optional, required, type OptionParser } from '../option-parsers.ts'
import { formatFields } from '../output.ts'
import { projectOrOnly } from './projects.ts'

const address: OptionParser<string> = {
  value: 'ADDRESS',
  read(text) {
    const read = parseAddress(text)
    if (read === null)
      throw new CommandError('must be an email address such as ada@bakery.example.')
    return read
  },
}

export const test = runtimeCommand({
  name: 'email test',
  about: 'Sends a test email from the first verified domain of a project, and prints the result.',
  options: {
    to: required(address, 'The recipient, such as your own address.'),
    project: optional(id, 'The project; not needed if there is only one.'),
  },
  async run({ to, project }, runtime) {
    const project_id = await projectOrOnly(runtime.db, 'email test', project)
    const sent = await sendTest(runtime, { project_id, to })
    if (typeof sent === 'string') throw new CommandError(sent)
    const text = formatFields({ to, ...sent })
    const fault = `The email was not delivered: ${sent.reason}`
    return { json: { to, ...sent }, text, ...(sent.reason !== null && { fault }) }
  },
})

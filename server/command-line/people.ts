/** The commands of people: who belongs to a project, and links by which somebody signs in. */
import * as people from '../areas/people/service.ts'
import type { House } from '../kernel/house.ts'
import { readPublicUrl } from '../kernel/settings.ts'
import { houseCommand } from './command.ts'
import { email, required } from './option-kinds.ts'
import { Refusal } from './refusal.ts'
import { fields } from './wording.ts'

export const signInLink = houseCommand({
  name: 'people sign-in-link',
  about: 'Prints a one-time link that signs somebody in to the portal.',
  options: { email: required(email, 'Whose address it is.') },
  async run({ email: address }, house) {
    const secret = await people.createLink(house, { realm: 'portal', email: address })
    if (secret === null) {
      throw new Refusal(
        `Nobody with the address ${address} has a part in a project, owns one or is invited to one.`,
      )
    }
    const made = { email: address, sign_in_url: people.linkUrl(await publicUrl(house), secret) }
    const once = 'The link works once, for a day. Whoever has it signs in as this person.'
    return { json: made, text: `${fields(made)}\n\n${once}` }
  },
})

/** As the settings say, or as the last server on this database was started. */
async function publicUrl({ config, db }: House): Promise<string> {
  return config.public_url || ((await readPublicUrl(db)) ?? `http://localhost:${config.port}`)
}

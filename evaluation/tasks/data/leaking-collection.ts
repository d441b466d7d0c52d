/** A collection exposes private data to visitors. Only the leak may be closed. */
import assert from 'node:assert/strict'
import type { ScriptedAgent } from '../../agent/scripted.ts'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

export const leakingCollection = task({
  name: 'find a leaking public collection',
  async stage({ ask, luck, openPage }) {
    const page = await openPage()
    const [leaking = '', ...others] = luck.shuffled(['guests', 'members', 'visitors', 'requests'])
    const email = `${luck.letters(8)}@example.com`
    const dish = `Soup ${luck.letters(6)}`
    await ask('POST /collections', {
      name: 'menu',
      public_read: true,
      readable_fields: ['dish', 'price'],
    })
    await ask('POST /collections/menu/documents', { dish, price: 9 })
    for (const name of [leaking, ...others]) {
      const open = { public_read: true, readable_fields: ['name', 'contact.email'] }
      await ask('POST /collections', { name, public_write: true, ...(name === leaking && open) })
      const data = { name: luck.people(1)[0], contact: { email } }
      await ask(`POST /collections/${name}/documents`, data)
    }
    const seen = async (name: string) => (await page.send(listOf(name))).text
    assert.ok((await seen(leaking)).includes(email))
    return {
      given: { menu: 'menu' },
      async check() {
        const form = await page.send(`POST /public/collections/${leaking}/documents`, {
          body: { name: 'Anna', contact: { email } },
        })
        const { document_count } = await ask(`GET /collections/${leaking}`)
        return listFalse(
          [!(await seen(leaking)).includes('@'), `${leaking} still shows e-mail addresses.`],
          [(await seen('menu')).includes(dish), 'The menu cannot be seen any more.'],
          [form.status === 201, 'The form does not work any more.'],
          [document_count >= 2, 'Documents are gone.'],
        )
      },
    }
  },
  ask: ({ menu }) =>
    'a customer just told me everybody can read peoples e-mail addresses on our website?! find out ' +
    `where and stop it please. the ${menu} has to stay up, people must still be able to write to us, and ` +
    'nothing may get lost',
  async script(agent) {
    const leaks = (await openOnes(agent)).filter(({ readable_fields }) =>
      readable_fields.some((field: string) => field.includes('email')),
    )
    for (const { name } of leaks) {
      const given = { name, public_read: false, readable_fields: [] }
      await agent.run('change a collection', 'collections.update', given)
    }
    return `Closed: ${leaks.map(({ name }) => name).join(', ')}.`
  },
  wrong: {
    async 'everything is closed'(agent) {
      for (const { name } of await openOnes(agent)) {
        const given = { name, public_read: false }
        await agent.run('change a collection', 'collections.update', given)
      }
      return 'Closed.'
    },
    async 'the forms are closed instead'(agent) {
      const { data } = await agent.run('list the collections', 'collections.list')
      for (const { name } of data) {
        const given = { name, public_write: false }
        await agent.run('change a collection', 'collections.update', given)
      }
      return 'Closed.'
    },
  },
})

const listOf = (name: string) => `GET /public/collections/${name}/documents`

async function openOnes(agent: ScriptedAgent): Promise<ReplyValue[]> {
  const { data } = await agent.run('list the collections', 'collections.list')
  return data.filter(({ public_read }: ReplyValue) => public_read)
}

/** A CSV list pasted into the chat: every row must be imported with the right types. */
import assert from 'node:assert/strict'
import { listFalse, task } from '../../task.ts'
import type { ReplyValue } from '../../world.ts'

const COLLECTION = 'products'
const schema = {
  type: 'object',
  properties: {
    sku: { type: 'string' },
    name: { type: 'string' },
    price: { type: 'number' },
    stock: { type: 'integer' },
  },
  required: ['sku', 'name', 'price', 'stock'],
  additionalProperties: false,
}

export const importACsv = task({
  name: 'import a CSV',
  async stage({ ask, luck }) {
    await ask('POST /collections', { name: COLLECTION, schema, unique: ['sku'] })
    const products = Array.from({ length: 14 }, (_, at) => ({
      sku: `00${luck.between(1000, 9999)}-${at}`,
      name: `${luck.pick(['Chair', 'Lamp', 'Rug'])}, ${luck.letters(5)} "${luck.letters(3)}"`,
      price: Number(luck.price()),
      stock: luck.between(0, 60),
    }))
    return {
      given: { csv: ['sku,name,price,stock', ...products.map(lineOf)].join('\n') },
      async check() {
        const { data: collections } = await ask('GET /collections')
        const { data } = await ask(`GET /collections/${COLLECTION}/documents?limit=100`)
        return listFalse(
          [collections.length === 1, 'There is another collection.'],
          [data.length === products.length, `${data.length} of ${products.length} are there.`],
          ...products.map(
            (product) =>
              [
                data.some((one: ReplyValue) => isSame(one.data, product)),
                `${product.sku} is not there as it was given.`,
              ] as const,
          ),
        )
      },
    }
  },
  ask: ({ csv }) => `these are new, add them to our "${COLLECTION}" please\n\n${csv}`,
  async script(agent, { csv }) {
    const { collections } = await agent.use('get_state')
    assert.equal(collections.items[0].fields.price, 'number')
    await agent.run('batch of documents', 'documents.batch', {
      name: COLLECTION,
      operations: productsOf(csv).map((data) => ({ op: 'create', data })),
    })
    return 'All of them are in.'
  },
  wrong: {
    async 'the last one is missing'(agent, { csv }) {
      await agent.run('batch of documents', 'documents.batch', {
        name: COLLECTION,
        operations: productsOf(csv)
          .slice(0, -1)
          .map((data) => ({ op: 'create', data })),
      })
      return 'All of them are in.'
    },
    async 'everything is text, somewhere else'(agent, { csv }) {
      await agent.run('make a collection', 'collections.create', { name: 'products-2' })
      await agent.run('batch of documents', 'documents.batch', {
        name: 'products-2',
        operations: productsOf(csv).map(({ price, stock, ...rest }) => ({
          op: 'create',
          data: { ...rest, price: String(price), stock: String(stock) },
        })),
      })
      return 'All of them are in.'
    },
  },
})

interface Product {
  sku: string
  name: string
  price: number
  stock: number
}

function lineOf({ sku, name, price, stock }: Product): string {
  return `${sku},"${name.replaceAll('"', '""')}",${price},${stock}`
}

/** Parses the pasted CSV by RFC 4180. */
function productsOf(csv: string): Product[] {
  const [, ...lines] = csv.split('\n')
  return lines.map((line) => {
    const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) =>
      cell.replace(/^"([\s\S]*)"$/, '$1').replaceAll('""', '"'),
    )
    const [sku = '', name = '', price, stock] = cells
    return { sku, name, price: Number(price), stock: Number(stock) }
  })
}

function isSame(one: ReplyValue, other: Product): boolean {
  return Object.entries(other).every(([name, value]) => one[name] === value)
}

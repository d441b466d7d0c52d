/** The script tag and the form of a product, for a page of a site of the project or elsewhere. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { originOf } from '../form/own-page.tsx'
import { collectionKey, type Collection } from '../queries.ts'
import { createShopToken, productsQuery } from './shop-requests.ts'
import { useShopTexts } from './shop-texts.ts'

const noProduct = { id: '', name: '', price_eur: 0 }

export function BuyHtml({ collection }: { collection: Collection }) {
  const t = useShopTexts()
  const format = useFormat()
  const { data } = useInfiniteQuery(productsQuery(useProjectScope(), collection.name))
  const [chosen, setChosen] = useState<string | null>(null)
  const [address, setAddress] = useState<ShopAddress>({ origin: location.origin, token: null })
  const products = (data?.pages ?? [])
    .flatMap((page) => page.data)
    .filter(({ can_be_sold }) => can_be_sold)
  const { id, name, price_eur } =
    products.find((one) => one.id === chosen) ?? products[0] ?? noProduct
  if (id === '') return null
  const product = { id, name: name ?? '', price: format.euro(price_eur ?? 0) }
  return (
    <Card title={t('html')} about={t('html_about')}>
      <div className="flex flex-col gap-4">
        <Part title={t('script')} code={scriptHtml(address)} />
        <Select
          label={t('product')}
          value={id}
          onChange={setChosen}
          choices={products.map((one) => ({ value: one.id, text: one.name ?? one.id }))}
        />
        <Part
          title={t('form')}
          code={buyFormHtml(product, address, { buy: t('buy'), quantity: t('quantity') })}
        />
        <p className="text-sm text-muted">{t('own_site')}</p>
        <Token collection={collection} onDone={setAddress} />
      </div>
    </Card>
  )
}

function Part({ title, code }: { title: string; code: string }) {
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">{title}</p>
      <CodeBlock label={title} code={code} />
    </div>
  )
}

interface TokenProps {
  collection: Collection
  onDone(address: ShopAddress): void
}

function Token({ collection, onDone }: TokenProps) {
  const t = useShopTexts()
  const scope = useProjectScope()
  const [website, setWebsite] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const create = useAct({
    run: () => createShopToken(scope, collection, originOf(website)),
    done: t('made'),
    refresh: [collectionKey(scope, collection.name)],
    onDone({ token, form_address }) {
      setProblem(null)
      onDone({ token, origin: new URL(form_address).origin })
    },
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={submit(() => create.mutate(undefined))}
    >
      <Field
        label={t('elsewhere')}
        hint={t('elsewhere_hint')}
        fault={problem?.faults[0]?.message ?? problem?.user_message}
      >
        <Input
          type="url"
          inputMode="url"
          value={website}
          onChange={({ target }) => setWebsite(target.value)}
        />
      </Field>
      <Button
        type="submit"
        className="self-start"
        busy={create.isPending}
        disabled={website.trim() === ''}
      >
        {t('make')}
      </Button>
    </form>
  )
}

interface ShopAddress {
  /** The origin of the server. */
  origin: string
  /** The public token; null leaves it out, because publishing a site adds the token of the site. */
  token: string | null
}

/** The HTML that a page needs to sell a product. */
function scriptHtml({ origin }: ShopAddress): string {
  return `<script src="${escaped(origin)}/shop.js" defer></script>`
}

interface BuyTexts {
  buy: string
  quantity: string
}

function buyFormHtml(
  product: { id: string; name: string; price: string },
  { origin, token }: ShopAddress,
  { buy, quantity }: BuyTexts,
): string {
  return [
    `<form method="post" action="${escaped(origin)}/api/v1/public/orders">`,
    ...(token === null ? [] : [hidden('token', token)]),
    hidden('product_id', product.id),
    `  <p>${escaped(product.name)} <span data-price>${escaped(product.price)}</span></p>`,
    `  <label>${escaped(quantity)} <input type="number" name="quantity" value="1" min="1" max="99"></label>`,
    `  <button>${escaped(buy)}</button>`,
    '</form>',
  ].join('\n')
}

function hidden(name: string, value: string): string {
  return `  <input type="hidden" name="${name}" value="${escaped(value)}">`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

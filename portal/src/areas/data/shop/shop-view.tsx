/** The shop of a collection: starts and stops selling, and shows the products and the HTML. */
import { ShoppingBasket } from 'lucide-react'
import { ConfirmedAct } from '../../../api/confirmed-act.tsx'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { changeCollection, collectionKey, type Collection } from '../queries.ts'
import { BuyHtml } from './buy-html.tsx'
import { ProductList } from './product-list.tsx'
import { useShopTexts } from './shop-texts.ts'

export function ShopView({ collection }: { collection: Collection }) {
  if (!collection.catalogue) return <Start collection={collection} />
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <Products collection={collection} />
      <BuyHtml collection={collection} />
    </div>
  )
}

function Start({ collection }: { collection: Collection }) {
  const t = useShopTexts()
  const scope = useProjectScope()
  const start = useAct({
    run: () => changeCollection(scope, collection.name, { catalogue: true }),
    done: t('started'),
    refresh: [collectionKey(scope, collection.name)],
  })
  return (
    <Card flush>
      <EmptyState
        icon={<ShoppingBasket aria-hidden="true" />}
        title={t('start_title')}
        about={collection.public_write ? t('forms_first') : t('start_about')}
        sentence={t('sentence', { title: collection.title })}
        action={
          !collection.public_write && (
            <Button kind="primary" busy={start.isPending} onClick={() => start.mutate(undefined)}>
              {t('start')}
            </Button>
          )
        }
      />
    </Card>
  )
}

function Products({ collection }: { collection: Collection }) {
  const t = useShopTexts()
  const scope = useProjectScope()
  const aside = (
    <ConfirmedAct
      text={t('stop')}
      title={t('stop_title')}
      about={t('stop_about')}
      run={() => changeCollection(scope, collection.name, { catalogue: false })}
      done={t('stopped')}
      refresh={[collectionKey(scope, collection.name)]}
    />
  )
  return (
    <Card title={t('products')} about={t('products_about')} aside={aside} flush>
      <ProductList collection={collection} />
    </Card>
  )
}

/** The sending domains, each with its DNS records to copy and their state. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { addDomain, domainsQuery, emailKey } from '../queries.ts'
import { emailTexts } from '../texts.ts'
import { DomainCard } from './domain-card.tsx'

export function Domains() {
  const t = useTexts(emailTexts)
  const scope = useProjectScope()
  const [adds, setAdds] = useState(false)
  const query = useInfiniteQuery(domainsQuery(scope))
  const add = scope.may('member') && (
    <Button kind="primary" onClick={() => setAdds(true)}>
      <Plus aria-hidden="true" />
      {t('add_domain')}
    </Button>
  )
  const empty = (
    <Card flush>
      <EmptyState
        icon={<Globe aria-hidden="true" />}
        title={t('no_domain')}
        about={t('no_domain_about')}
        sentence={t('sentence')}
        action={add}
      />
    </Card>
  )
  return (
    <div className="flex flex-col gap-6 pt-6">
      <InfiniteList query={query} more={t('more')} empty={empty}>
        {(rows) => (
          <>
            <p>{add}</p>
            {rows.map((domain) => (
              <DomainCard key={domain.id} domain={domain} />
            ))}
          </>
        )}
      </InfiniteList>
      <Dialog open={adds} onOpenChange={setAdds} title={t('add_domain')}>
        <AddForm onDone={() => setAdds(false)} />
      </Dialog>
    </div>
  )
}

function AddForm({ onDone }: { onDone(): void }) {
  const t = useTexts(emailTexts)
  const scope = useProjectScope()
  const form = useForm({ defaultValues: { domain: '' } })
  const act = useAct({
    run: ({ domain }: { domain: string }) => addDomain(scope, domain.trim()),
    refresh: [emailKey(scope)],
    onDone,
  })
  const { errors } = form.formState
  const isDomain = (text: string) =>
    /^[^\s@/]+\.[^\s@/]{2,}$/.test(text.trim()) || t('domain_fault')
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      <Field label={t('domain')} hint={t('domain_hint')} fault={errors.domain?.message}>
        <Input
          autoComplete="off"
          placeholder="bakery.example"
          {...form.register('domain', { validate: isDomain })}
        />
      </Field>
      <DialogButtons>
        <Button type="submit" kind="primary" busy={act.isPending}>
          {t('add')}
        </Button>
      </DialogButtons>
    </form>
  )
}

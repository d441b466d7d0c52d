/** The payment links of the project, and a new one. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { LinkDrawer } from './link-drawer.tsx'
import { LinkList } from './link-list.tsx'
import type { PaymentLink } from './link-queries.ts'
import { linkTexts } from './link-texts.ts'
import { NewLink } from './new-link.tsx'

export function Links() {
  const t = useTexts(linkTexts)
  const scope = useProjectScope()
  const [creates, setCreates] = useState(false)
  const [open, setOpen] = useState<PaymentLink | null>(null)
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('new_link')}
    </Button>
  )
  return (
    <>
      <Card title={t('links')} about={t('about')} aside={create} flush>
        <LinkList action={create} onOpen={setOpen} />
      </Card>
      {creates && (
        <NewLink
          onClose={() => setCreates(false)}
          onDone={(link) => {
            setCreates(false)
            setOpen(link)
          }}
        />
      )}
      <LinkDrawer link={open} onChange={setOpen} />
    </>
  )
}

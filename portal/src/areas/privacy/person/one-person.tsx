/** Finds, downloads and erases the data about one person. */
import { useState } from 'react'
import { useFormAct } from '../../../api/form-act.ts'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { usePhoneCountry } from '../../company/use-phone-country.ts'
import { FoundPerson } from './found-person.tsx'
import { searchPerson, toPerson, type PersonSearch } from './queries.ts'
import { usePersonTexts } from './texts.ts'

const CHARACTERS_MAX = 254

export function OnePerson() {
  const t = usePersonTexts()
  const scope = useProjectScope()
  const country = usePhoneCountry()
  const [typed, setTyped] = useState('')
  const [found, setFound] = useState<{ typed: string; result: PersonSearch } | null>(null)
  const { act, fault, setFault } = useFormAct({
    run: (text: string) => searchPerson(scope, toPerson(text, country)),
    onDone: (result) => setFound({ typed: typed.trim(), result }),
  })
  const search = () => {
    setFound(null)
    if (typed.trim() !== '') act.mutate(typed)
  }
  return (
    <Card title={t('title')} about={t('about')}>
      <form
        noValidate
        role="search"
        className="flex flex-col gap-4"
        onSubmit={submit(() => search())}
      >
        <Field label={t('label')} hint={t('hint')} fault={fault}>
          <Input
            type="search"
            autoComplete="off"
            maxLength={CHARACTERS_MAX}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value)
              setFault(undefined)
            }}
          />
        </Field>
        <Button
          type="submit"
          className="self-start"
          busy={act.isPending}
          disabled={typed.trim() === ''}
        >
          {t('search')}
        </Button>
      </form>
      <div aria-live="polite">
        {found !== null && (
          <FoundPerson typed={found.typed} result={found.result} onErased={search} />
        )}
      </div>
    </Card>
  )
}

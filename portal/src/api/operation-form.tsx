/**
 * A dialog with a form that is made from the schema of an operation: kinds, limits and required fields
 * are the server's, labels and order are the page's. A refusal is shown at the field that it is about.
 */
import { queryOptions, useQuery, type QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { reach } from './batch.ts'
import { useFormat } from '../language/format.ts'
import { defineTexts } from '../language/texts.ts'
import { Button } from '../ui/actions/button.tsx'
import { AmountField } from '../ui/forms/amount-field.tsx'
import { CheckList } from '../ui/forms/check-list.tsx'
import { ChoiceCards } from '../ui/forms/choice-cards.tsx'
import { Field } from '../ui/forms/field.tsx'
import { Input, Textarea } from '../ui/forms/input.tsx'
import { Select } from '../ui/forms/select.tsx'
import { submit } from '../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { ApiProblem } from './client.ts'
import { useAct } from './mutations.tsx'
import {
  bodyOf,
  faultOf,
  fieldOf,
  limitsOf,
  textOf,
  type FormField,
  type Look,
  type Schema,
  type Texts,
} from './operation-fields.ts'
import { QueryState } from './query-state.tsx'

const useOperationFormTexts = defineTexts('operation-form', {
  en: {
    cancel: 'Cancel',
    required: 'Fill in this field.',
    amount: 'Write an amount such as 12.50.',
    amount_most: 'Write an amount of at most {{most}}.',
    number: 'Write a number from {{least}} to {{most}}.',
    whole: 'Write a whole number from {{least}} to {{most}}.',
    email: 'Write an email address such as anna@example.com.',
    phone: 'Write a phone number.',
    day: 'Choose today or a later day.',
    time: 'Choose a day and a time.',
  },
  nl: {
    cancel: 'Annuleren',
    required: 'Vul dit veld in.',
    amount: 'Schrijf een bedrag zoals 12,50.',
    amount_most: 'Schrijf een bedrag van hoogstens {{most}}.',
    number: 'Schrijf een getal van {{least}} tot {{most}}.',
    whole: 'Schrijf een heel getal van {{least}} tot {{most}}.',
    email: 'Schrijf een e-mailadres zoals anna@example.com.',
    phone: 'Schrijf een telefoonnummer.',
    day: 'Kies vandaag of een latere dag.',
    time: 'Kies een dag en een tijd.',
  },
})

function schemaQuery(operation: string) {
  return queryOptions({
    queryKey: ['operation-schema', operation],
    queryFn: async ({ signal }): Promise<Schema> => {
      const response = await reach(`/portal/api/v1/schemas/${operation}`, { signal })
      if (!response.ok) throw new ApiProblem(await response.json(), response.status)
      return response.json()
    },
    staleTime: Infinity,
  })
}

export interface OperationFormProps<Body, Result> {
  /** Such as `orders.create`. */
  operation: string
  fields: readonly Look[]
  /** The text of the button that sends the form. */
  action: string
  done?: string
  refresh: readonly QueryKey[]
  /** `key` is the same for every attempt with the same values, so that a retry has one effect. */
  run(body: Body, key: string): Promise<Result>
  /** Without it there is no button that cancels. */
  onClose?(): void
  onDone(result: Result): void
  onChange?(body: Partial<Body>): void
  /** How a field is edited that needs more than its schema says; null for every other one. */
  control?(field: FormField, editing: Editing): ReactNode | null
  /** What is below the fields, for the values so far. */
  children?(body: Partial<Body>): ReactNode
}

export interface Editing {
  text: string
  fault: string | undefined
  set(text: string): void
}

export interface OperationDialogProps<Body, Result> extends OperationFormProps<Body, Result> {
  onClose(): void
  title: string
  about?: string
  wide?: boolean
}

export function OperationDialog<Body, Result>(props: OperationDialogProps<Body, Result>) {
  const { title, about, wide = false, onClose } = props
  return (
    <Dialog wide={wide} onClose={onClose} title={title} {...(about !== undefined && { about })}>
      <OperationForm {...props} />
    </Dialog>
  )
}

export function OperationForm<Body, Result>(props: OperationFormProps<Body, Result>) {
  const query = useQuery(schemaQuery(props.operation))
  return <QueryState query={query}>{(schema) => <Form {...props} schema={schema} />}</QueryState>
}

type FormProps<Body, Result> = OperationFormProps<Body, Result> & { schema: Schema }

function Form<Body, Result>(props: FormProps<Body, Result>) {
  const { action, onClose, control, children } = props
  const t = useOperationFormTexts()
  const form = useOperationForm(props)
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit(() => form.send())}>
      <div className="grid gap-5 sm:grid-cols-2">
        {form.shown.map((field) => (
          <div
            key={field.path}
            className={isNarrow(field) ? undefined : 'empty:hidden sm:col-span-2'}
          >
            {control?.(field, form.edit(field)) || <Control field={field} {...form.edit(field)} />}
          </div>
        ))}
      </div>
      {children?.(form.body)}
      {form.problem !== null && (
        <ErrorState {...form.problem} user_message={form.problem.user_message} />
      )}
      <DialogButtons>
        {onClose && (
          <Button kind="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
        )}
        <Button type="submit" kind="primary" busy={form.busy}>
          {action}
        </Button>
      </DialogButtons>
    </form>
  )
}

function useOperationForm<Body, Result>(props: FormProps<Body, Result>) {
  const { schema, done, refresh, run, onDone, onChange } = props
  const fields = props.fields.map((look) => fieldOf(schema, look))
  const [typed, setTyped] = useState<Texts>(() =>
    Object.fromEntries(fields.map(({ path, initial = '' }) => [path, initial])),
  )
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isTried, setIsTried] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const explain = useFaultText()
  const shown = fields.filter(({ isShown }) => isShown?.(typed) !== false)
  const faults = new Map(shown.map((field) => [field.path, explain(field, typed)]))
  const refused = new Map(problem?.faults.map(({ path, message }) => [path.slice(1), message]))
  const body = Object(bodyOf(fields, typed))
  const act = useAct({
    run: (attempt: string) => run(body, attempt),
    ...(done !== undefined && { done }),
    refresh,
    onDone,
    onFault(found, attempt) {
      // About texts that were changed meanwhile, so no field shows it.
      if (attempt !== key) return false
      setProblem(found)
      return true
    },
  })
  const set = (path: string, text: string) => {
    const next = { ...typed, [path]: text }
    setTyped(next)
    setProblem(null)
    setKey(crypto.randomUUID())
    onChange?.(Object(bodyOf(fields, next)))
  }
  return {
    shown,
    body,
    busy: act.isPending,
    /** Null if a field shows it. */
    problem: shown.some(({ path }) => refused.has(path)) ? null : problem,
    edit: ({ path }: FormField): Editing => ({
      text: typed[path] ?? '',
      fault: isTried ? (faults.get(path) ?? refused.get(path)) : undefined,
      set: (text) => set(path, text),
    }),
    send() {
      setIsTried(true)
      setProblem(null)
      if ([...faults.values()].every((fault) => fault === undefined)) act.mutate(key)
    },
  }
}

/** Whether two of these fields are beside each other. */
function isNarrow({ kind, choices }: FormField): boolean {
  if (kind === 'choice') return !choices?.some(({ about }) => about !== undefined)
  return kind === 'money' || kind === 'number' || kind === 'time'
}

/** Returns what is wrong with the text of a field, in words. */
function useFaultText() {
  const t = useOperationFormTexts()
  const format = useFormat()
  return (field: FormField, typed: Texts): string | undefined => {
    const text = textOf(field, typed)
    const own = field.check?.(text)
    if (own !== undefined) return own
    const fault = faultOf(field, text)
    if (fault === null) return undefined
    const { minimum: least = 0, maximum: most = 0 } = limitsOf(field)
    return t(fault, { least, most: fault === 'amount_most' ? format.euro(most) : most })
  }
}

function Control({ field, text, fault, set }: { field: FormField } & Editing) {
  const { kind, label, hint, isRequired, choices = [], schema } = field
  const common = { label, fault, ...(hint !== undefined && { hint }) }
  if (kind === 'money') return <AmountField {...common} value={text} onValue={set} />
  if (kind === 'choice' && !isNarrow(field)) {
    const cards = choices.map(({ value, text: title, about = '' }) => ({ value, title, about }))
    return <ChoiceCards<string> legend={label} value={text} onChange={set} choices={cards} />
  }
  if (kind === 'list') {
    const listed = choices.map(({ about, ...one }) => ({ ...one, ...(about && { hint: about }) }))
    return (
      <>
        <CheckList<string>
          legend={label}
          values={text === '' ? [] : text.split('\n')}
          onChange={(values) => set(values.join('\n'))}
          choices={listed}
        />
        {fault !== undefined && (
          <p role="alert" className="mt-1.5 text-sm text-bad">
            {fault}
          </p>
        )}
      </>
    )
  }
  const input = {
    autoComplete: 'off',
    value: text,
    placeholder: field.placeholder,
    maxLength: schema.maxLength,
    onChange: ({ target }: { target: { value: string } }) => set(target.value),
  }
  const inputs = {
    choice: <Select<string> value={text} onChange={set} choices={choices} />,
    day: <Input {...input} type="date" max="9999-12-31" />,
    time: <Input {...input} type="datetime-local" max="9999-12-31T23:59" />,
    email: <Input {...input} type="email" />,
    long: <Textarea {...input} />,
    number: <Input {...input} inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'} />,
    phone: <Input {...input} type="tel" />,
    text: <Input {...input} />,
  }
  return (
    <Field {...common} optional={!isRequired && kind !== 'choice' && field.initial === undefined}>
      {inputs[kind]}
    </Field>
  )
}

/** The form as visitors will see it. It sends nothing. */
import { attributesOf, type FormDraft, type FormField } from './form-fields.ts'
import { useFormTexts } from './texts.ts'

export function FormPreview({ draft }: { draft: FormDraft }) {
  const t = useFormTexts()
  const { heading, about, button, fields } = draft
  return (
    <section
      aria-label={t('preview')}
      className="overflow-hidden rounded-xl border border-line bg-bg shadow-card"
    >
      <p className="flex items-center gap-1.5 border-b border-line px-4 py-2.5 text-xs text-faint">
        <span className="size-2.5 rounded-full bg-line-strong" aria-hidden="true" />
        <span className="size-2.5 rounded-full bg-line-strong" aria-hidden="true" />
        <span className="size-2.5 rounded-full bg-line-strong" aria-hidden="true" />
        <span className="ml-2">{t('preview')}</span>
      </p>
      <form className="mx-auto max-w-md px-6 py-8" onSubmit={(event) => event.preventDefault()}>
        <h3 className="text-2xl font-semibold tracking-tight">{heading}</h3>
        {about !== '' && <p className="mt-1 text-muted">{about}</p>}
        <div className="mt-6 flex flex-col gap-4">
          {fields
            .filter(({ isShown }) => isShown)
            .map((field) => (
              <PreviewControl key={field.name} field={field} />
            ))}
          <button
            type="submit"
            className="self-start rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent"
          >
            {button}
          </button>
        </div>
      </form>
    </section>
  )
}

function PreviewControl({ field }: { field: FormField }) {
  const { label, type, choices } = field
  const { type: control, min, max } = attributesOf(field)
  if (type === 'boolean') {
    return (
      <label className="flex items-center gap-2.5">
        <input type="checkbox" className="size-4 accent-(--accent)" />
        {label}
      </label>
    )
  }
  return (
    <label className="flex flex-col gap-1.5 font-medium">
      {label}
      {type === 'long' ? (
        <textarea rows={4} className="control py-2 font-normal" />
      ) : type === 'choice' ? (
        <select className="control font-normal">
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          type={control}
          {...{ min, max }}
          className={type === 'media' ? 'text-sm font-normal' : 'control font-normal'}
        />
      )}
    </label>
  )
}

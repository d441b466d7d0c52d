/** A form of saved values, which newer ones replace only while nothing is typed. */
import { useEffect, useState } from 'react'
import { useForm, type FieldValues } from 'react-hook-form'

export function useSavedForm<Fields extends FieldValues>(saved: Fields) {
  const [first] = useState(saved)
  const form = useForm<Fields>({ values: first })
  const { isDirty } = form.formState
  const text = JSON.stringify(saved)
  useEffect(() => {
    if (!isDirty) form.reset(saved)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only other saved values change the form
  }, [text])
  /** Takes what was sent as saved, and keeps what was typed meanwhile. */
  const markSaved = (sent: Fields) => {
    const typed = form.getValues()
    form.reset(sent)
    form.reset(typed, { keepDefaultValues: true })
  }
  return { form, markSaved }
}

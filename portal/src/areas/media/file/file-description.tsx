/** The form for the description of a file: alternative text, name, title, tags and folder. */
import { useState, type ReactNode } from 'react'
import { useForm, type UseFormRegister } from 'react-hook-form'
import type { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { ProblemState } from '../../../api/query-state.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input, Textarea } from '../../../ui/forms/input.tsx'
import { changeFile, mediaKey, type Media, type MediaChange } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'

interface Draft {
  filename: string
  alt: string
  title: string
  /** The tags, separated by commas. */
  tags: string
  folder: string
}

export interface FileDescriptionProps {
  file: Media
  /** Further buttons beside the one that saves. */
  children: ReactNode
}

export function FileDescription({ file, children }: FileDescriptionProps) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const form = useForm<Draft>({ defaultValues: draftOf(file) })
  const act = useAct({
    run: (draft: Draft) => changeFile(scope, file.id, changeOf(draft)),
    done: t('saved'),
    refresh: [mediaKey(scope)],
    onFault(fault) {
      setProblem(fault)
      return true
    },
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void form.handleSubmit((draft) => act.mutate(draft))(event)}
    >
      <fieldset disabled={!scope.may('member')} className="flex flex-col gap-4">
        {problem !== null && <ProblemState error={problem} />}
        <Fields file={file} problem={problem} register={form.register} />
      </fieldset>
      {scope.may('member') && (
        <div className="mt-5 flex gap-2">
          <Button
            type="submit"
            kind="primary"
            busy={act.isPending}
            disabled={!form.formState.isDirty}
          >
            {t('save')}
          </Button>
          {children}
        </div>
      )}
    </form>
  )
}

function draftOf({ filename, alt, title, tags, folder }: Media): Draft {
  return { filename, alt: alt ?? '', title: title ?? '', tags: tags.join(', '), folder }
}

function changeOf({ filename, alt, title, tags, folder }: Draft): MediaChange {
  return {
    filename,
    folder: folder.trim(),
    alt: alt.trim() || null,
    title: title.trim() || null,
    tags: [...new Set(tags.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== ''),
  }
}

interface FieldsProps {
  file: Media
  problem: ApiProblem | null
  register: UseFormRegister<Draft>
}

function Fields({ file, problem, register }: FieldsProps) {
  const t = useMediaTexts()
  const faultOf = (name: keyof Draft) =>
    problem?.faults.find(({ path }) => path.startsWith(`/${name}`))?.message
  return (
    <>
      {file.kind === 'image' && (
        <Field label={t('alt')} hint={t('alt_hint')} fault={faultOf('alt')}>
          <Textarea rows={2} {...register('alt')} />
        </Field>
      )}
      <Field label={t('filename')} fault={faultOf('filename')}>
        <Input autoComplete="off" {...register('filename')} />
      </Field>
      <Field label={t('file_title')} optional fault={faultOf('title')}>
        <Input autoComplete="off" {...register('title')} />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('tags')} hint={t('tags_hint')} optional fault={faultOf('tags')}>
          <Input autoComplete="off" {...register('tags')} />
        </Field>
        <Field label={t('folder')} hint={t('folder_hint')} optional fault={faultOf('folder')}>
          <Input autoComplete="off" {...register('folder')} />
        </Field>
      </div>
    </>
  )
}

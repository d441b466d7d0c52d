/** Moves the selected files to a folder, or adds and removes tags. */
import { useId, useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { Field } from '../../../ui/forms/field.tsx'
import { Input } from '../../../ui/forms/input.tsx'
import { submit } from '../../../ui/forms/submit.ts'
import { Dialog, DialogButtons } from '../../../ui/overlays/dialog.tsx'
import type { Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'

export interface Organised {
  folder?: string
  add_tags?: string[]
  remove_tags?: string[]
}

export interface OrganiseDialogProps {
  what: 'move' | 'tags' | null
  files: readonly Media[]
  known: readonly Media[]
  busy: boolean
  onClose(): void
  onSave(changes: Organised): void
}

export function OrganiseDialog({ what, files, known, busy, onClose, onSave }: OrganiseDialogProps) {
  const t = useMediaTexts()
  const count = files.length
  return (
    <Dialog
      open={what !== null && count > 0}
      onClose={onClose}
      title={t(what === 'tags' ? 'tags_title' : 'move_title', { count })}
    >
      {what === 'tags' ? (
        <TagsForm files={files} busy={busy} onSave={onSave} />
      ) : (
        <FolderForm known={known} busy={busy} onSave={onSave} />
      )}
    </Dialog>
  )
}

type FormProps<Names extends keyof OrganiseDialogProps> = Pick<
  OrganiseDialogProps,
  Names | 'busy' | 'onSave'
>

function FolderForm({ known, busy, onSave }: FormProps<'known'>) {
  const t = useMediaTexts()
  const [folder, setFolder] = useState('')
  const list_id = useId()
  const folders = [...new Set(known.map((file) => file.folder))].filter((name) => name !== '')
  return (
    <form onSubmit={submit(() => onSave({ folder: folder.trim().replaceAll(/^\/+|\/+$/g, '') }))}>
      <Field label={t('folder')} hint={t('move_hint')}>
        <Input
          autoComplete="off"
          list={list_id}
          value={folder}
          onChange={({ target }) => setFolder(target.value)}
        />
      </Field>
      <datalist id={list_id}>
        {folders.toSorted().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <DialogButtons>
        <Button type="submit" kind="primary" busy={busy}>
          {t('move')}
        </Button>
      </DialogButtons>
    </form>
  )
}

function TagsForm({ files, busy, onSave }: FormProps<'files'>) {
  const t = useMediaTexts()
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const add_tags = [...new Set(added.split(',').map((tag) => tag.trim()))].filter(Boolean)
  const remove_tags = [...removed].filter((tag) => !add_tags.includes(tag))
  const there = [...new Set(files.flatMap(({ tags }) => tags))].toSorted()
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={submit(() => onSave({ add_tags, remove_tags }))}
    >
      <Field label={t('add_tags')} hint={t('tags_hint')}>
        <Input autoComplete="off" value={added} onChange={({ target }) => setAdded(target.value)} />
      </Field>
      {there.length > 0 && (
        <fieldset>
          <legend className="mb-2 text-sm font-medium">{t('remove_tags')}</legend>
          <div className="flex max-h-40 flex-wrap gap-x-4 gap-y-2 overflow-y-auto">
            {there.map((tag) => (
              <label key={tag} className="flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  checked={removed.has(tag)}
                  onChange={() => setRemoved(removed.symmetricDifference(new Set([tag])))}
                />
                {tag}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <DialogButtons>
        <Button
          type="submit"
          kind="primary"
          busy={busy}
          disabled={add_tags.length + remove_tags.length === 0}
        >
          {t('save')}
        </Button>
      </DialogButtons>
    </form>
  )
}

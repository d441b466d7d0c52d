/** The actions on the selected files: folder, tags and deletion. */
import { useQueryClient } from '@tanstack/react-query'
import { FolderInput, Tags, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Button } from '../../../ui/actions/button.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { say, showError } from '../../../ui/overlays/toast.tsx'
import { changeFiles, mediaKey, type Batch, type Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'
import { KeptFiles } from './kept-files.tsx'
import { OrganiseDialog, type Organised } from './organise-dialog.tsx'

export type Asked = 'delete' | 'move' | 'tags' | null

export interface SelectionActionsProps {
  files: readonly Media[]
  /** All loaded files, whose folders and tags are suggested. */
  known: readonly Media[]
  asked: Asked
  onAsk(asked: Asked): void
  onClear(): void
}

export function SelectionActions({ files, known, asked, onAsk, onClear }: SelectionActionsProps) {
  const t = useMediaTexts()
  const [kept, setKept] = useState<Batch['refused']>([])
  const { remove, organise } = useSelectionActs(files, {
    onDone(refused) {
      onAsk(null)
      setKept(refused)
      onClear()
    },
  })
  const close = (open: boolean) => !open && onAsk(null)
  return (
    <>
      {files.length > 0 && <Bar count={files.length} onAsk={onAsk} onClear={onClear} />}
      <AlertDialog
        open={asked === 'delete' && files.length > 0}
        onOpenChange={close}
        title={t('delete_title', { count: files.length })}
        about={t('delete_about')}
        action={t('delete')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate(undefined)}
      />
      <OrganiseDialog
        what={asked === 'move' || asked === 'tags' ? asked : null}
        files={files}
        known={known}
        busy={organise.isPending}
        onClose={() => onAsk(null)}
        onSave={(changes) => organise.mutate(changes)}
      />
      <KeptFiles kept={kept} files={known} onClose={() => setKept([])} />
    </>
  )
}

interface BarProps extends Pick<SelectionActionsProps, 'onAsk' | 'onClear'> {
  count: number
}

function Bar({ count, onAsk, onClear }: BarProps) {
  const t = useMediaTexts()
  return (
    <div className="pointer-events-none sticky bottom-4 z-20 mt-4 flex justify-center">
      <div className="pointer-events-auto flex flex-wrap items-center justify-center gap-2 rounded-xl bg-raised py-2 pr-2 pl-4 shadow-pop">
        <span className="mr-2 font-medium" role="status">
          {t('selected', { count })}
        </span>
        <Button size="sm" kind="ghost" onClick={onClear}>
          {t('clear')}
        </Button>
        <Button size="sm" onClick={() => onAsk('move')}>
          <FolderInput aria-hidden="true" />
          {t('move')}
        </Button>
        <Button size="sm" onClick={() => onAsk('tags')}>
          <Tags aria-hidden="true" />
          {t('tags')}
        </Button>
        <Button size="sm" kind="danger" onClick={() => onAsk('delete')}>
          <Trash2 aria-hidden="true" />
          {t('delete')}
        </Button>
      </div>
    </div>
  )
}

interface Handlers {
  /** Called with the files that were refused, such as those that a site shows. */
  onDone(refused: Batch['refused']): void
}

function useSelectionActs(files: readonly Media[], { onDone }: Handlers) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const ids = files.map(({ id }) => id)
  const refresh = [mediaKey(scope)]
  const remove = useAct({
    run: () => changeFiles(scope, { ids, delete: true }),
    refresh,
    onDone({ done, refused }) {
      for (const id of done) client.removeQueries({ queryKey: [...mediaKey(scope), 'one', id] })
      const used = refused.filter(({ reason }) => reason === 'in_use')
      onDone(used)
      if (used.length === 0) say(t('deleted'))
    },
  })
  const organise = useAct({
    run: (changes: Organised) => changeFiles(scope, { ids, ...changes }),
    refresh,
    onDone({ done, refused }) {
      const full = refused.filter(({ reason }) => reason === 'too_many_tags').length
      onDone([])
      if (full > 0) showError(t('tags_full', { count: full }))
      else say(t('changed', { count: done.length }))
    },
  })
  return { remove, organise }
}

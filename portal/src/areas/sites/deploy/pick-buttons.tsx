/** The buttons that choose a folder or files to publish. */
import { FolderUp } from 'lucide-react'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { usePublicTexts } from '../public-texts.ts'
import { useSiteTexts } from '../texts.ts'
import { usePick } from './draft.ts'

/** Publishes a folder as a new site at an unlisted address. */
export function PickUnlisted() {
  const t = usePublicTexts()
  const { onChoose } = usePick('unlisted')
  return (
    <FileButton size="sm" folder onChoose={onChoose}>
      {t('unlisted_action')}
    </FileButton>
  )
}

export function PickButtons() {
  const t = useSiteTexts()
  const { onChoose } = usePick()
  return (
    <div className="flex flex-wrap justify-center gap-2">
      <FileButton kind="primary" folder onChoose={onChoose}>
        <FolderUp aria-hidden="true" />
        {t('choose_folder')}
      </FileButton>
      <FileButton onChoose={onChoose}>{t('choose_files')}</FileButton>
    </div>
  )
}

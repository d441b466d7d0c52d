/** The buttons that choose a folder or files to publish. */
import { FolderUp } from 'lucide-react'
import { useTexts } from '../../../language/texts.ts'
import { FileButton } from '../../../ui/forms/drop-area.tsx'
import { publicTexts } from '../public-texts.ts'
import { siteTexts } from '../texts.ts'
import { usePick } from './draft.ts'

/** Publishes a folder as a new site at an unlisted address. */
export function PickUnlisted() {
  const t = useTexts(publicTexts)
  const { onChoose } = usePick('unlisted')
  return (
    <FileButton size="sm" folder onChoose={onChoose}>
      {t('unlisted_action')}
    </FileButton>
  )
}

export function PickButtons() {
  const t = useTexts(siteTexts)
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

/** What came of an import, in a few words. */
import { useTexts } from '../../../language/texts.ts'
import type { ImportReport } from './import.ts'
import { transferTexts } from './texts.ts'

export function useCounts() {
  const t = useTexts(transferTexts)
  return ({ inserted, updated, refused }: ImportReport) =>
    [
      t('new', { count: inserted }),
      ...(updated > 0 ? [t('updated', { count: updated })] : []),
      ...(refused > 0 ? [t('refused', { count: refused })] : []),
    ].join(' · ')
}

/** Lists the files that were not deleted, with the sites that show them. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { sitesQuery } from '../../sites/queries.ts'
import type { Batch, Media } from '../queries.ts'
import { useMediaTexts } from '../texts.ts'

export interface KeptFilesProps {
  kept: Batch['refused']
  files: readonly Media[]
  onClose(): void
}

export function KeptFiles({ kept, files, onClose }: KeptFilesProps) {
  const t = useMediaTexts()
  const scope = useProjectScope()
  const { data: sites } = useQuery({ ...sitesQuery(scope), enabled: kept.length > 0 })
  return (
    <Dialog
      open={kept.length > 0}
      onClose={onClose}
      title={t('kept', { count: kept.length })}
      about={t('kept_about')}
    >
      <ul className="max-h-80 divide-y divide-line overflow-y-auto text-sm" tabIndex={-1}>
        {kept.map(({ id, used_on }) => (
          <li key={id} className="flex flex-wrap gap-x-3 py-2">
            <span className="min-w-0 flex-1 truncate font-medium">
              {files.find((file) => file.id === id)?.filename ?? t('file')}
            </span>
            {[...new Set(used_on.map(({ site_id }) => site_id))].map((site_id) => (
              <Link
                key={site_id}
                to={scope.link(`/sites/${site_id}`)}
                className="text-accent hover:underline"
              >
                {sites?.find((site) => site.id === site_id)?.title ?? t('a_site')}
              </Link>
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

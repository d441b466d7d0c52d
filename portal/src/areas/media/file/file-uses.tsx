/** The sites that show a file, with its public addresses there. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { CopyButton } from '../../../ui/actions/copy-button.tsx'
import { sitesQuery } from '../../sites/queries.ts'
import type { Media } from '../queries.ts'
import { mediaTexts } from '../texts.ts'

export function FileUses({ file: { used_on } }: { file: Media }) {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const { data: sites } = useQuery({ ...sitesQuery(scope), enabled: used_on.length > 0 })
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('used_on')}</h3>
      {used_on.length === 0 ? (
        <p className="text-sm text-muted">{t('not_used')}</p>
      ) : (
        <ul className="flex flex-col gap-1">
          {used_on.map(({ site_id, path }) => {
            const site = sites?.find(({ id }) => id === site_id)
            return (
              <li key={site_id + path} className="flex items-center gap-3">
                <p className="min-w-0 flex-1 truncate text-sm">
                  <Link
                    to={scope.link(`/sites/${site_id}`)}
                    className="font-medium text-accent hover:underline"
                  >
                    {site?.title ?? t('a_site')}
                  </Link>{' '}
                  <code className="font-mono text-xs text-muted">{path}</code>
                </p>
                {site !== undefined && <CopyButton text={new URL(path, site.url).href} />}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

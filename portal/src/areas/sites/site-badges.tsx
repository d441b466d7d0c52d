/** Badges for the status and the visibility of a site. */
import { Badge } from '../../ui/display/badge.tsx'
import type { Site } from './queries.ts'
import { useSiteTexts } from './texts.ts'

export function SiteBadges({ site: { status, visibility } }: { site: Site }) {
  const t = useSiteTexts()
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={status === 'live' ? 'good' : 'bad'} dot>
        {t(`status_${status}`)}
      </Badge>
      {visibility !== 'public' && <Badge tone="neutral">{t(visibility)}</Badge>}
    </span>
  )
}

/** Returns the address without its scheme. */
export function hostOf(url: string): string {
  return new URL(url).host
}

/** Buttons that copy URLs of a file, or of a resized copy of a picture. */
import { Link2 } from 'lucide-react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { linkTo, type Media, type Width } from '../queries.ts'
import { mediaTexts } from '../texts.ts'

const widths: readonly Width[] = [320, 640, 960, 1280, 1920]

export function FileLinks({ file }: { file: Media }) {
  const t = useTexts(mediaTexts)
  const scope = useProjectScope()
  const copy = useAct({
    run: async (width: Width | null) =>
      navigator.clipboard.writeText(await linkTo(scope, file.id, width ?? undefined)),
    done: t('link_copied'),
  })
  const own_width = file.kind === 'image' ? (file.width ?? 0) : 0
  return (
    <section>
      <h3 className="font-semibold">{t('links')}</h3>
      <p className="mb-3 text-sm text-muted">{t('links_about')}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={() => copy.mutate(null)}>
          <Link2 aria-hidden="true" />
          {t('copy_original')}
        </Button>
        {widths
          .filter((width) => width < own_width)
          .map((width) => (
            <Button key={width} size="sm" onClick={() => copy.mutate(width)}>
              {t('copy_width', { width })}
            </Button>
          ))}
      </div>
    </section>
  )
}

/** Each limit of the plan as a bar that shows how much of it is used. */
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { cx } from '../../ui/class-names.ts'
import type { UsageLimit } from './queries.ts'
import { settingsTexts } from './texts.ts'

const NEARLY = 0.8

export function UsageBars({ limits }: { limits: readonly UsageLimit[] }) {
  const t = useTexts(settingsTexts)
  const format = useFormat()
  return (
    <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {limits.map(({ name, used, max }) => {
        const share = max === 0 ? 1 : Math.min(1, used / max)
        const text = name.endsWith('bytes') ? format.limitBytes : format.number
        return (
          <li key={name}>
            <p className="flex items-baseline gap-2">
              <span className="flex-1 font-medium">{t(`limit_${name}`)}</span>
              <span className="text-sm text-muted tabular-nums">
                {t('used_of', { used: text(used), max: text(max) })}
              </span>
            </p>
            <div
              role="meter"
              aria-label={t(`limit_${name}`)}
              aria-valuemin={0}
              aria-valuemax={max}
              aria-valuenow={Math.min(used, max)}
              aria-valuetext={t('used_of', { used: text(used), max: text(max) })}
              className="mt-1.5 h-2 overflow-hidden rounded-full bg-hover"
            >
              <div
                className={cx('h-full rounded-full', colourOf(share))}
                style={{ width: `${used === 0 ? 0 : Math.max(share * 100, 1)}%` }}
              />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

function colourOf(share: number): string {
  if (share >= 1) return 'bg-bad-solid'
  return share >= NEARLY ? 'bg-test-band' : 'bg-accent'
}

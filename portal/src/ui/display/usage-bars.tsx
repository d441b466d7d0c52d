/** Limits as bars that show how much of each is used. */
import { useFormat } from '../../language/format.ts'
import { cx } from '../class-names.ts'
import { useUiTexts } from '../texts.ts'

export interface UsageBar {
  key: string
  label: string
  used: number
  max: number
  is_bytes: boolean
}

const NEARLY = 0.8

export function UsageBars({ bars }: { bars: readonly UsageBar[] }) {
  const t = useUiTexts()
  const format = useFormat()
  return (
    <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
      {bars.map(({ key, label, used, max, is_bytes }) => {
        const share = max === 0 ? 1 : Math.min(1, used / max)
        const text = is_bytes ? format.limitBytes : format.number
        return (
          <li key={key}>
            <p className="flex items-baseline gap-2">
              <span className="flex-1 font-medium">{label}</span>
              <span className="text-sm text-muted tabular-nums">
                {t('used_of', { used: text(used), max: text(max) })}
              </span>
            </p>
            <div
              role="meter"
              aria-label={label}
              aria-valuemin={0}
              aria-valuemax={max}
              aria-valuenow={Math.min(used, max)}
              aria-valuetext={t('used_of', { used: text(used), max: text(max) })}
              className="mt-1.5 h-2 overflow-hidden rounded-full bg-hover"
            >
              <div
                className={cx('h-full rounded-full', colourOf(share, max))}
                style={{ width: `${used === 0 ? 0 : Math.max(share * 100, 1)}%` }}
              />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** A maximum of one is used by everybody, so it is no warning. */
function colourOf(share: number, max: number): string {
  if (max === 1) return 'bg-accent'
  if (share >= 1) return 'bg-bad-solid'
  return share >= NEARLY ? 'bg-test-band' : 'bg-accent'
}

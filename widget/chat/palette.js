/** The colours of the widget from one main colour, with enough contrast for text. */
const LIGHT = '#ffffff'
const DARK = '#1c1d21'
/** The contrast of WCAG 2 for text. */
const CONTRAST_MIN = 4.5

const channels = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
const toColor = (parts) =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

const luminance = (color) => {
  const [red, green, blue] = channels(color).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

/** Mixes a colour with another until it can be read on a background. */
const readable = (color, background, towards) => {
  const target = channels(towards)
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = toColor(channels(color).map((part, at) => part + (target[at] - part) * share))
    if (contrast(mixed, background) >= CONTRAST_MIN) return mixed
  }
  return towards
}

/** The declarations of the custom properties for one scheme. */
export const declareColors = (color, is_dark) => {
  const text = contrast(color, LIGHT) >= CONTRAST_MIN ? LIGHT : '#111111'
  const accent = contrast(color, text) >= CONTRAST_MIN ? color : readable(color, LIGHT, '#000000')
  const ink = is_dark ? readable(color, '#2a2c32', LIGHT) : readable(color, '#eff0f3', '#000000')
  const scheme = is_dark
    ? `--back:${DARK};--text:#f1f2f4;--muted:#a8adb8;--soft:#2a2c32;--line:#3d4048;--field:#24262b;--bad:#ff9d94`
    : `--back:${LIGHT};--text:#17181c;--muted:#5d6270;--soft:#eff0f3;--line:#d9dce2;--field:#ffffff;--bad:#b3261e`
  return `--accent:${accent};--on-accent:${text};--ink:${ink};${scheme};color-scheme:${is_dark ? 'dark' : 'light'}`
}

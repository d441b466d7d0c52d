/** Tests that the colours of the documentation have enough contrast in both schemes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })

describe('the colours', async () => {
  const { text: style } = await runtime.call('GET //docs/assets/style.css', { key: null })
  const when_dark = /@media \(prefers-color-scheme: dark\) \{\n[^]*?\n\}\n/g
  const palettes = [style.replaceAll(when_dark, ''), style.match(when_dark)?.join('')]
  const texts = [
    'text',
    'soft',
    'link',
    'accent',
    'code',
    'key',
    'string',
    'value',
    'comment',
    'get',
    'post',
    'put',
    'delete',
  ]
  const fixtures = ['page', 'panel', 'inline', 'accent-weak']

  const colour = (palette: string, name: string): string => {
    const found = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(palette)?.[1]
    assert.ok(found, name)
    return found
  }

  for (const [index, scheme] of ['light', 'dark'].entries()) {
    test(`have enough contrast in the ${scheme} scheme (WCAG AA: at least 4.5 to 1)`, () => {
      const palette = palettes[index] ?? ''
      for (const text of texts) {
        for (const fixture of fixtures) {
          const ratio = contrast(colour(palette, text), colour(palette, fixture))
          assert.ok(ratio >= 4.5, `${text} on ${fixture}: ${ratio.toFixed(2)}`)
        }
      }
    })
  }
})

/** Returns the contrast ratio of two colours (WCAG 2). */
function contrast(left: string, right: string): number {
  const [dark = 0, light = 0] = [luminance(left), luminance(right)].toSorted(
    (one, other) => one - other,
  )
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const channels = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Draws the figures as horizontal bars in SVG, one for each kind of question and language. */
import type { Figures } from './report.ts'

const BAR = { left: 170, width: 400, height: 14, step: 22, top: 44 }

export function drawPlot(title: string, all: readonly Figures[]): string {
  const height = BAR.top + all.length * BAR.step + 10
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="640" height="${height}" fill="#fff"/>`,
    `<text x="10" y="18" font-weight="bold">${title}</text>`,
    '<text x="10" y="34" fill="#555">dark: right at once or rightly refused; light: after one yes or no</text>',
    ...all.flatMap(rowOf),
    '</svg>\n',
  ].join('\n')
}

function rowOf(figures: Figures, nth: number): string[] {
  const { name, answerable, unanswerable } = figures
  const of = answerable + unanswerable
  const share = (known: number, unknown: number) =>
    of === 0 ? 0 : (known * answerable + unknown * unanswerable) / of
  const at_once = share(figures.right, figures.refused)
  const later = share(figures.right_with_yes, figures.refused_with_no)
  const y = BAR.top + nth * BAR.step
  const bar = (percent: number, fill: string) =>
    `<rect x="${BAR.left}" y="${y}" width="${((BAR.width * percent) / 100).toFixed(1)}" height="${BAR.height}" fill="${fill}"/>`
  return [
    `<text x="10" y="${y + 11}">${name} (${of})</text>`,
    bar(100, '#eee'),
    bar(later, '#9cc4e4'),
    bar(at_once, '#1f6fb2'),
    `<text x="${BAR.left + BAR.width + 8}" y="${y + 11}">${Math.round(at_once)} %</text>`,
  ]
}

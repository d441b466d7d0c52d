/** Generates docs/performance.md and its plots from the stored results only. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { areas } from '../areas.ts'
import {
  cellText,
  readResult,
  results_folder,
  type Result,
  type ResultTable,
} from '../support/result.ts'
import { plotSvg } from './plot.ts'

/** The contents of files by their paths below docs/. */
export function reportFiles(): Record<string, string> {
  const found = areas.flatMap(({ name, title }) => {
    const file = join(results_folder, `${name}.json`)
    return existsSync(file) ? [{ title, result: readResult(file) }] : []
  })
  const plots = found.flatMap(({ result }) =>
    (result.plots ?? []).map((plot) => [
      `performance/${result.area}-${plot.name}.svg`,
      plotSvg(plot),
    ]),
  )
  return { 'performance.md': page(found), ...Object.fromEntries(plots) }
}

interface Section {
  title: string
  result: Result
}

const intro = `# Performance

Made by \`npm run bench -- report\` from \`bench/results/\`; do not change it by hand. How each figure
is measured, and how to measure it yourself: [bench/README.md](../bench/README.md).

Compare ratios: all rows of a table were measured alternately, in one run on one machine. A figure is
the median of the rounds, followed by the lowest and the highest. A pass with a refused request does
not count. Machines differ, so compare figures within one table only.
`

function page(found: readonly Section[]): string {
  const links = found.map(({ title }) => `[${title}](#${anchorOf(title)})`).join(' · ')
  return [intro, links, ...found.map(section)].join('\n').trimEnd() + '\n'
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(' ', '-')

function section({ title, result }: Section): string {
  const { tables, plots = [], notes = [], missing = {}, area } = result
  const pictures = plots.map((plot) => `![${plot.title}](performance/${area}-${plot.name}.svg)\n`)
  const absent = Object.entries(missing).map(
    ([name, why]) => `Not measured: ${name}. ${firstLine(why)}\n`,
  )
  const parts = [`\n## ${title}\n`, circumstances(result), ...tables.map(tableText), ...pictures]
  return [...parts, ...notes.map((note) => `${note}\n`), ...absent].join('\n')
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''

function circumstances(result: Result): string {
  const { machine, command, generator, rounds, seconds, load_average, versions = {} } = result
  const { cores, model, memory_gb, node } = machine
  const named = Object.entries({ node, ...versions }).map(([name, version]) => `${name} ${version}`)
  const warning = result.busy
    ? '\n\n**The machine had other work** before the run: rates and waits are worse than they are, and ' +
      'ratios only roughly right.'
    : ''
  return (
    `\`${command}\` on ${result.measured_at}: ${cores} cores of ${model}, ${memory_gb} GB; ` +
    `${named.join(', ')}. Load from ${generator}; ${rounds === 1 ? 'one round' : `${rounds} rounds`} of ` +
    `${seconds} s after one of warming up. Load average before the run: ${load_average.before}.${warning}\n`
  )
}

function tableText({ title, about, columns, rows }: ResultTable): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const body = rows.map((row) => line(row.map((cell) => cellText(cell).replaceAll('|', '\\|'))))
  const rule = `|${columns.map(() => '---').join('|')}|`
  return [`### ${title}`, '', ...(about ? [about, ''] : []), line(columns), rule, ...body, ''].join(
    '\n',
  )
}

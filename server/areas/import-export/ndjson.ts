/** Newline-delimited JSON: one record per line, the lossless format. */
import { limits } from '../../contract/limits.ts'
import { parseJsonInSlices } from '../../kernel/values/json.ts'
import { createPause } from '../../kernel/limits/slices.ts'
import { isObject } from '../json-schema/service.ts'
import { textOf } from '../../kernel/tables/decode-text.ts'
import type { FileLine } from './file-line.ts'
import type { FlatRecord } from './record.ts'

const LINE_CHARACTERS_MAX = 1_048_576
/** A document within its size limit has fewer. */
const options = { values_max: limits.json_values_max }

export async function* writeNdjson(
  pages: AsyncIterable<readonly FlatRecord[]>,
): AsyncGenerator<string> {
  const pause = createPause()
  for await (const records of pages) {
    let lines = ''
    for (const record of records) {
      lines += `${JSON.stringify(record)}\n`
      await pause()
    }
    yield lines
  }
}

/** Yields an error for an invalid line and continues. Skips empty lines. */
export async function* readNdjson(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let rest = ''
  let line = 0
  const pause = createPause()
  for await (const text of textOf(bytes)) {
    const [first = '', ...others] = text.split('\n')
    // Stops buffering a line that is already too long.
    if (rest.length <= LINE_CHARACTERS_MAX) rest += first
    for (const next of others) {
      line += 1
      if (rest.trim() !== '') yield await readLine(rest, line)
      rest = next
    }
    // Yields to other work, because empty lines never await.
    await pause()
  }
  if (rest.trim() !== '') yield await readLine(rest, line + 1)
}

async function readLine(text: string, line: number): Promise<FileLine> {
  const refused = (path: string, message: string): FileLine => ({
    line,
    faults: [{ path, message }],
  })
  if (text.length > LINE_CHARACTERS_MAX)
    return refused('', `is longer than ${LINE_CHARACTERS_MAX} characters`)
  const result = await parseJsonInSlices(text, limits.json_depth_max, options)
  if ('fault' in result) return refused(result.fault.path, placed(result.fault.message))
  return isObject(result.value)
    ? { line, record: result.value }
    : refused('', 'must be a JSON object')
}

/** Converts positions to columns, which editors count from 1. */
function placed(message: string): string {
  return message.replace(/position (\d+)/, (_, at) => `column ${Number(at) + 1}`)
}

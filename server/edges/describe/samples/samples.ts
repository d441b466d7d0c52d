/** An operation as a TypeScript and as a Python program, with examples as values. */
import type { Operation } from '../../../contract/operation.ts'
import { formatJson } from './curl.ts'
import { createSampleRequest, type SampleRequest } from './sample-request.ts'

/** Returns a module for Node 20 or newer, without dependencies. */
export function writeTypescript(operation: Operation, base_url: string): string {
  const request = createSampleRequest(operation, base_url)
  const { method, url, body, file } = request
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...headerLines(request, typescriptValue),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indentedJson(body)}),`]),
    ...(file === undefined ? [] : [`  body: await readFile('${file}'),`]),
  ]
  const lines = [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises'", '']),
    options.length === 0
      ? `const response = await fetch(${quoted(url)})`
      : `const response = await fetch(${quoted(url)}, {\n${options.join('\n')}\n})`,
    'if (!response.ok) throw new Error((await response.json()).detail)',
    ...(request.reply === 'json' ? ['const reply = await response.json()'] : []),
    ...(request.reply === 'text'
      ? ['for await (const part of response.body!) process.stdout.write(part)']
      : []),
  ]
  return lines.join('\n')
}

/** Returns a program for Python 3 with the package `requests`. */
export function writePython(operation: Operation, base_url: string): string {
  const request = createSampleRequest(operation, base_url)
  const { method, url, headers, body, file } = request
  const shown = headers.filter(([name]) => body === undefined || name !== 'Content-Type')
  const options = [
    ...headerLines({ ...request, headers: shown }, pythonValue),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body, 1)},`]),
    ...(file === undefined ? [] : [`    data=open(${quoted(file)}, "rb"),`]),
    ...(request.reply === 'text' ? ['    stream=True,'] : []),
  ].map((line) => (line.startsWith('    ') ? line : `  ${line}`))
  return [
    ...(headers.some(([, value]) => value.includes('$')) ? ['import os'] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...options,
    ')',
    'response.raise_for_status()',
    ...(request.reply === 'json' ? ['reply = response.json()'] : []),
    ...(request.reply === 'text'
      ? ['for part in response.iter_content(None):', '    print(part)']
      : []),
  ].join('\n')
}

type ValueText = (value: string) => string

function headerLines({ headers }: SampleRequest, valueText: ValueText): string[] {
  if (headers.length === 0) return []
  const is_python = valueText === pythonValue
  const own = headers.map(([name, value]) =>
    is_python
      ? `        ${JSON.stringify(name)}: ${valueText(value)},`
      : `    '${name}': ${valueText(value)},`,
  )
  return is_python ? ['    headers={', ...own, '    },'] : ['  headers: {', ...own, '  },']
}

const variable = /\$([A-Z_]+)/

function typescriptValue(value: string): string {
  return variable.test(value)
    ? `\`${value.replace(variable, (_, name: string) => `\${process.env.${name}}`)}\``
    : quoted(value)
}

function pythonValue(value: string): string {
  return variable.test(value)
    ? `f"${value.replace(variable, (_, name: string) => `{os.environ['${name}']}`)}"`
    : JSON.stringify(value)
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function indentedJson(value: unknown): string {
  return formatJson(value).replaceAll('\n', '\n  ')
}

/** A JSON value as a Python literal. */
function pythonLiteral(value: unknown, depth: number): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inside = '    '.repeat(depth + 1)
  const end = '    '.repeat(depth)
  const list = Array.isArray(value)
  const parts = list
    ? value.map((one) => pythonLiteral(one, depth + 1))
    : Object.entries(value).map(
        ([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one, depth + 1)}`,
      )
  const [open, close] = list ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return open + close
  return `${open}\n${parts.map((part) => `${inside}${part},`).join('\n')}\n${end}${close}`
}

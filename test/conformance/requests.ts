/**
 * The requests that compare serving with nginx and Caddy: a site's files, requests for them, and
 * the compared parts of the responses. `{etag}` in a header is the tag that the same server sent
 * for the same path.
 */
import { createHash } from 'node:crypto'
import { request } from 'node:http'

const page = (title: string) =>
  `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n${'<p>Bread and more bread.</p>\n'.repeat(40)}`

export const files: Readonly<Record<string, string>> = {
  'index.html': page('Start'),
  'about.html': page('About'),
  'docs/index.html': page('Docs'),
  'docs/guide.html': page('Guide'),
  '404.html': page('Not here'),
  'app.js': `// A script.\n${'console.log("bread")\n'.repeat(60)}`,
  'style.css': 'body { color: teal }\n',
  'data.txt': Array.from({ length: 100 }, (_, n) => `${String(n).padStart(9, '0')}\n`).join(''),
  'empty.txt': '',
  'a b.txt': 'a space\n',
  'café.txt': 'an accent\n',
  'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'font.woff2': 'not really a font\n',
  'data.json': '{"bread": true}\n',
  'deep/er/file.txt': 'deep\n',
}

export interface ComparedRequest {
  path: string
  method?: string
  headers?: Readonly<Record<string, string>>
}

const range = (value: string, more = {}): ComparedRequest => ({
  path: '/data.txt',
  headers: { Range: value, ...more },
})

export const requests: Readonly<Record<string, ComparedRequest>> = {
  'the start page': { path: '/' },
  'the start page by its name': { path: '/index.html' },
  'a page by its name': { path: '/about.html' },
  'a page without its end': { path: '/about' },
  'a page without its end, with a slash': { path: '/about/' },
  'a folder': { path: '/docs/' },
  'a folder without its slash': { path: '/docs' },
  'a folder without its slash, with a query': { path: '/docs?a=1' },
  'a page in a folder': { path: '/docs/guide' },
  'a file deep down': { path: '/deep/er/file.txt' },
  'a folder without a page': { path: '/deep/' },
  'a folder without a page and slash': { path: '/deep' },
  'a script': { path: '/app.js' },
  'a style': { path: '/style.css' },
  'a picture': { path: '/picture.svg' },
  'a font': { path: '/font.woff2' },
  JSON: { path: '/data.json' },
  'an empty file': { path: '/empty.txt' },
  'a file with a query': { path: '/data.txt?version=2' },
  'a file with a slash': { path: '/data.txt/' },
  nothing: { path: '/nothing' },
  'nothing below a page': { path: '/about.html/more' },
  'the page for nothing by its name': { path: '/404.html' },
  'another case': { path: '/ABOUT.html' },
  'a space': { path: '/a%20b.txt' },
  'an accent': { path: '/caf%C3%A9.txt' },
  'an accent in two characters': { path: '/cafe%CC%81.txt' },
  'a letter that need not be escaped': { path: '/%61bout.html' },
  'a slash that is escaped': { path: '/docs%2Fguide.html' },
  'two slashes': { path: '//about.html' },
  'a dot': { path: '/./about.html' },
  'two dots': { path: '/docs/../about.html' },
  'two dots above the root': { path: '/../about.html' },
  'escaped dots above the root': { path: '/%2e%2e/%2e%2e/etc/passwd' },
  'a broken escape': { path: '/%zz' },
  'an escape that is no UTF-8': { path: '/%ff' },
  'a NUL': { path: '/a%00b' },
  'a backslash': { path: '/docs%5Cguide.html' },
  'HEAD of a page': { path: '/', method: 'HEAD' },
  'HEAD of nothing': { path: '/nothing', method: 'HEAD' },
  'HEAD of a folder without its slash': { path: '/docs', method: 'HEAD' },
  POST: { path: '/', method: 'POST' },
  PUT: { path: '/data.txt', method: 'PUT' },
  DELETE: { path: '/data.txt', method: 'DELETE' },
  OPTIONS: { path: '/', method: 'OPTIONS' },
  'a copy that is fresh': { path: '/data.txt', headers: { 'If-None-Match': '{etag}' } },
  'a fresh copy among others': {
    path: '/data.txt',
    headers: { 'If-None-Match': '"x", {etag}' },
  },
  'a copy with a weak tag': { path: '/data.txt', headers: { 'If-None-Match': 'W/{etag}' } },
  'any copy': { path: '/data.txt', headers: { 'If-None-Match': '*' } },
  'a copy that is old': { path: '/data.txt', headers: { 'If-None-Match': '"old"' } },
  'HEAD with a fresh copy': {
    path: '/data.txt',
    method: 'HEAD',
    headers: { 'If-None-Match': '{etag}' },
  },
  'a fresh copy of nothing': { path: '/nothing', headers: { 'If-None-Match': '*' } },
  'only if it is this': { path: '/data.txt', headers: { 'If-Match': '{etag}' } },
  'only if it is another': { path: '/data.txt', headers: { 'If-Match': '"old"' } },
  'a date that is long ago': {
    path: '/data.txt',
    headers: { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
  },
  'the first bytes': range('bytes=0-9'),
  'bytes in the middle': range('bytes=500-509'),
  'the rest': range('bytes=990-'),
  'the last bytes': range('bytes=-10'),
  'the last byte': range('bytes=999-999'),
  'more than there is': range('bytes=990-5000'),
  'the last bytes, more than there are': range('bytes=-5000'),
  'all of it as a range': range('bytes=0-'),
  'beyond the end': range('bytes=1000-'),
  'no last bytes': range('bytes=-0'),
  'an end before its start': range('bytes=9-5'),
  'another unit': range('lines=1-2'),
  'no numbers': range('bytes=a-b'),
  'two ranges': range('bytes=0-9,20-29'),
  'a part of what is still so': range('bytes=0-9', { 'If-Range': '{etag}' }),
  'a part of what was otherwise': range('bytes=0-9', { 'If-Range': '"old"' }),
  'HEAD with a range': { path: '/data.txt', method: 'HEAD', headers: { Range: 'bytes=0-9' } },
  'a range of an empty file': { path: '/empty.txt', headers: { Range: 'bytes=0-0' } },
  'a range of nothing': { path: '/nothing', headers: { Range: 'bytes=0-0' } },
}

/** The compared parts of a response; null for a missing header. */
export interface ComparedResponse {
  status: number
  type: string | null
  length: string | null
  range: string | null
  location: string | null
  /** Only for a success; null otherwise. */
  body: string | null
  has_etag: boolean
}

export interface ServerAddress {
  port: number
  host: string
}

export async function answerOf(
  place: ServerAddress,
  asked: ComparedRequest,
): Promise<ComparedResponse> {
  const wants_tag = Object.values(asked.headers ?? {}).some((value) => value.includes('{etag}'))
  const tag = wants_tag ? ((await send(place, { path: asked.path })).headers['etag'] ?? '') : ''
  const headers = Object.entries(asked.headers ?? {}).map(([name, value]) => {
    return [name, value.replace('{etag}', tag)]
  })
  const {
    status,
    headers: said,
    body,
  } = await send(place, {
    ...asked,
    headers: Object.fromEntries(headers),
  })
  const is_success = status === 200 || status === 206
  return {
    status,
    type: is_success ? (said['content-type']?.toLowerCase().replace(/; /g, ';') ?? null) : null,
    length: is_success ? (said['content-length'] ?? null) : null,
    range: said['content-range'] ?? null,
    location: said.location?.replace(/^http:\/\/[^/]+/, '') ?? null,
    body: is_success ? createHash('sha256').update(body).digest('hex').slice(0, 16) : null,
    has_etag: said.etag !== undefined,
  }
}

function send({ port, host }: ServerAddress, { path, method = 'GET', headers }: ComparedRequest) {
  type Said = { status: number; headers: Record<string, string | undefined>; body: Buffer }
  return new Promise<Said>((done, fail) => {
    const options = { port, path, method, agent: false, headers: { ...headers, Host: host } }
    const sent = request({ host: '127.0.0.1', ...options }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const said = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
        const body = Buffer.concat(chunks)
        done({ status: response.statusCode ?? 0, headers: Object.fromEntries(said), body })
      })
    })
    sent.on('error', fail)
    sent.end()
  })
}

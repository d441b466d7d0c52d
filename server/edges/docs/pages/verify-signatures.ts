/** The guide to signatures: how they work, and a program in five languages that checks one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { programBlock, shellBlock } from '../code-block.ts'
import { durationText } from '../describe/words.ts'
import { html, type Html } from '../html.ts'
import { code } from '../prose.ts'
import { paths, type Page } from '../site.ts'

const folder = join(import.meta.dirname, '../../../../docs/guides/verify-signatures')

const languages = [
  { id: 'node', name: 'Node.js', file: 'node.mjs', run: 'node node.mjs' },
  { id: 'python', name: 'Python', file: 'verify.py', run: 'python3 verify.py' },
  { id: 'php', name: 'PHP', file: 'verify.php', run: 'php verify.php' },
  { id: 'go', name: 'Go', file: 'verify.go', run: 'go run verify.go' },
  { id: 'ruby', name: 'Ruby', file: 'verify.rb', run: 'ruby verify.rb' },
] as const

// The programs are the files that the tests run. They are read once, when the process starts.
const examples = languages.map((language) => ({
  ...language,
  ...splitExample(readFileSync(join(folder, language.file), 'utf8')),
}))

/** The comment at the head of a program shows it in a server: that part, and the program itself. */
export function splitExample(source: string): { server: string; program: string } {
  const lines = source.trimEnd().split('\n')
  const isComment = (line: string) => /^(?:\/\/|#)/.test(line)
  const begin = lines.findIndex((line) => isComment(line) && line.includes('In a server'))
  const end = lines.findIndex((line, index) => index > begin && !isComment(line))
  const server = lines
    .slice(begin + 1, end)
    .map((line) => line.replace(/^(?:\/\/|#)(?: {3}|\t)?/, ''))
  const program = lines.filter((line, index) => index >= end || !isComment(line))
  return { server: server.join('\n').trim(), program: program.join('\n').trim() }
}

const tolerance = durationText(limits.webhook_signature_tolerance_s)
const signed = 't=1795426200,v1=5257a869e7ec…'

export function verifySignaturesPage(): Page {
  return {
    path: paths.verify_signatures,
    title: 'Verify signatures',
    about: 'How to check that a webhook request comes from Homeport, in five languages.',
    main: html`<h1>Verify signatures</h1>
      <p class="lead">
        Anybody can send a request to your address. The header ${code('Service-Signature')} shows
        that a request comes from here, was not changed on the way, and is not an old one sent
        again.
      </p>
      ${shellBlock('The header', `Service-Signature: ${signed}`)}
      <h2 id="steps">How to check it</h2>
      ${steps()}
      <h2 id="programs">In your language</h2>
      ${programs()}
      <h2 id="try">Try one on a recorded request</h2>
      ${trial()}
      <h2 id="standard">With a library</h2>
      <p>
        Every request also carries ${code('webhook-id')}, ${code('webhook-timestamp')} and
        ${code('webhook-signature')}, made with the same secret as Standard Webhooks 1.0 has it. A
        library for that standard checks them as they are.
      </p>`,
  }
}

function steps(): Html {
  return html`<ol>
      <li>
        Split the header on ${code(',')} and each part on its first ${code('=')}. Take ${code('t')},
        the time in Unix seconds, and every ${code('v1')}.
      </li>
      <li>
        Join ${code('t')}, a dot, and the body exactly as it came. Use the raw bytes: JSON that was
        parsed and written again is different.
      </li>
      <li>
        Compute HMAC-SHA256 of that with the secret of the endpoint as the key: the whole secret as
        UTF-8, with its ${code('whsec_')}. Write it in lower-case hex.
      </li>
      <li>
        Compare it with each ${code('v1')} in constant time. One match is enough: there are several
        while a secret is being replaced.
      </li>
      <li>Refuse it if ${code('t')} and your own clock differ by more than ${tolerance}.</li>
      <li>If any of this fails, answer 400 and do nothing with the body.</li>
    </ol>
    <p>
      The secret is in the reply that created the endpoint, and nowhere after that. Keep it where
      you keep passwords.
    </p>`
}

function programs(): Html {
  return html`<p>
      Each program needs nothing but its language. Take it into your server, and call its function
      ${code('refusal')} before anything else looks at the body.
    </p>
    <ul class="jump">
      ${examples.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}
    </ul>
    ${examples.map(
      ({ id, name, file, server, program }) =>
        html`<section id="${id}">
          <h3>${name}</h3>
          ${programBlock('In a server', server)} ${programBlock(file, program)}
        </section> `,
    )}`
}

function trial(): Html {
  const commands = [
    'export WEBHOOK_SECRET=whsec_…',
    `export SERVICE_SIGNATURE='${signed}'`,
    ...languages.map(({ run }) => `NOW=1795426200 ${run} < body.json`),
  ]
  return html`<p>
      Each program also runs by itself: the body comes in on stdin, the header and the secret are in
      the environment. It prints ${code('ok')} or the reason to refuse the request. ${code('NOW')}
      sets the clock, for a request that is older than ${tolerance}.
    </p>
    ${shellBlock('In a shell', commands.join('\n'))}`
}
